import type { Knex } from 'knex';

/**
 * The deprecated public key of an environment, `hmac_key` encrypted, and the connection ID that a caller with such a key may
 * choose for its connection.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table environments
      add column public_key uuid,
      add column hmac_key bytea;
    create unique index environments_public_key on environments (public_key) where deleted_at is null;

    alter table connect_sessions add column connection_id text;
  `);
}
