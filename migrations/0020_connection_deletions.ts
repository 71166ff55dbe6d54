import type { Knex } from 'knex';

/**
 * What is still to be done for a connection that is marked deleted; written with the mark, gone with the connection. A release
 * that does not know the table erases the connection, and the row with it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table connection_deletions (
      connection_id bigint primary key references connections (id) on delete cascade,
      environment_id bigint not null references environments (id) on delete cascade,
      -- what comes next
      step text not null default 'script' check (step in ('script', 'clean-up', 'erase')),
      -- somebody else may go on after this time
      claimed_until timestamptz not null
    );
    create index connection_deletions_environment on connection_deletions (environment_id);
    create index connection_deletions_due on connection_deletions (claimed_until);
  `);
}
