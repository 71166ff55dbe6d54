import type { Knex } from 'knex';

/**
 * Leaves room in each page for the next version of a row: a refresh writes no column of `connections` that an index has, so Postgres
 * leaves the sixteen indexes alone when the new row fits beside the old one. Among 1,000,000 connections a refresh then writes half as
 * much to the log (`npm run bench -- refresh-wal`). Pages that are full already get their room as their rows are replaced.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table connections set (fillfactor = 70)');
  await knex.raw('alter table refreshes set (fillfactor = 70)');
}
