import type { Knex } from 'knex';

/** What a webhook reports: whether the authorization or the refresh that it is about has succeeded. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table webhook_messages add column success boolean');
}
