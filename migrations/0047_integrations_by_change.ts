import type { Knex } from 'knex';

/** For pages of an environment's integrations, the latest changed first. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index integrations_by_change on integrations (environment_id, updated_at, id) where deleted_at is null;
  `);
}
