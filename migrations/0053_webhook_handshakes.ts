import type { Knex } from 'knex';

/**
 * When a provider checked an integration's webhook address, and proved to know a value of its settings; the secrets that
 * handshakes brought to a connection's address, and until when one may.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table integrations
      add column address_checked_at timestamptz,
      add column address_verified_at timestamptz;
    alter table connections
      add column handshake_secrets bytea,
      add column handshake_until timestamptz;
  `);
}
