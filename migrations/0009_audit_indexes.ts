import type { Knex } from 'knex';

/** Finds the entries of the audit trail by action, actor, environment and time without reading the whole trail. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index audit_entries_at on audit_entries (account_id, at, sequence);
    create index audit_entries_action on audit_entries (account_id, action, at, sequence);
    create index audit_entries_actor on audit_entries (account_id, actor_kind, actor_id, at, sequence);
    create index audit_entries_environment on audit_entries (account_id, environment_id, at, sequence);
    drop index audit_entries_account;
  `);
}
