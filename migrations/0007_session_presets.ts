import type { Knex } from 'knex';

/**
 * What a backend may further fix with a session. `authorization_presets` is encrypted, as `defaults` is: parameters for the
 * provider name people. `replaces` says what of a connection changes when it is authorized again; null: nothing, as before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table connect_sessions
      add column authorization_presets bytea,
      add column overrides jsonb,
      add column replaces text[];
  `);
}
