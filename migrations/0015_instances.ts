import type { Knex } from 'knex';

/**
 * Which session of the database each running instance has, so that others can see that a killed one is gone. Rows of instances
 * that ended stay for a while. The index is for finding what they were doing.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table instances (
      id text primary key,
      backend_pid integer not null,
      backend_start timestamptz not null,
      server_start timestamptz not null,
      registered_at timestamptz not null default now()
    );
    create index connections_leased on connections (refresh_until) where refresh_until is not null;
  `);
}
