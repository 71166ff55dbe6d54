import type { Knex } from 'knex';

/**
 * By what people recognize an API key in a list: how it ends, and the name of who made it. Null: of a key that was made before.
 * Neither opens anything, so no proof covers them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table api_keys
      add column last4 text,
      add column created_by text;
  `);
}
