import type { Knex } from 'knex';

/** Whether a reconnect session may replace the account at the provider by another one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table connect_sessions add column allow_account_change boolean not null default false');
}
