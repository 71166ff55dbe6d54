import type { Knex } from 'knex';

/** Whose account at the provider a connection is, encrypted: it names people. Null: unknown. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table connections add column provider_account bytea');
}
