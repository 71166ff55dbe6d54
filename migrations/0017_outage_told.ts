import type { Knex } from 'knex';

/**
 * When the application was told that a connection has been out of use for a day although its authorization may be good. Counts
 * while the connection is in the state that it told of: not once `state_since` is later.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table connections add column outage_told_at timestamptz');
}
