import type { Knex } from 'knex';

/** When a provider last answered a call of an integration with 2xx: the proof that it works here. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table integrations add column answered_at timestamptz');
}
