import type { Knex } from 'knex';

/** Of the window in which an environment's end users connect; null: the browser's. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table environments add column brand_language text');
}
