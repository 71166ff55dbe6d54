import type { Knex } from 'knex';

/** A deletion asks the provider to revoke the tokens: a step of its own, which is repeated for some minutes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table connection_deletions add column created_at timestamptz not null default clock_timestamp();
    alter table connection_deletions drop constraint connection_deletions_step_check;
    alter table connection_deletions add constraint connection_deletions_step_check
      check (step in ('script', 'clean-up', 'revoke', 'erase'));
  `);
}
