import type { Knex } from 'knex';

/** Work that is repeated for ever, each time on one instance: a row for each, claimed by making it due later. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table schedules (
      name text primary key,
      due_at timestamptz not null default now()
    )`);
}
