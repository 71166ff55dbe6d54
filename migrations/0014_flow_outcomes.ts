import type { Knex } from 'knex';

/**
 * How an authorization ended, so that a second request with its state, on any instance, shows the same page; and until when the
 * first one is known to be at work.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table authorization_flows add column outcome jsonb, add column exchanging_until timestamptz');
}
