import type { Knex } from 'knex';

/** When a connection's credentials were last refreshed. `refreshed_at` also says when they were issued, imported or verified. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table connections add column last_refresh_at timestamptz');
}
