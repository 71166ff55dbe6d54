import type { Knex } from 'knex';

/** API keys may end by themselves, and say when they were last used (written in batches, so seconds late). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table api_keys
      add column expires_at timestamptz,
      add column last_used_at timestamptz;
  `);
}
