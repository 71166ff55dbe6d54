import type { Knex } from 'knex';

/** Which private hosts an instance may call (`SVC_OUTBOUND_ALLOW`): whoever sets an address elsewhere asks by its rules. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table instances add column outbound_allow jsonb`);
}
