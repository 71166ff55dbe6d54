import type { Knex } from 'knex';

/** For pages of an environment's integrations, which are listed by name. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index integrations_by_name on integrations (environment_id, lower(display_name), id) where deleted_at is null;
  `);
}
