import { readdirSync, readFileSync } from 'node:fs';
import type { Knex } from 'knex';

const FOLDER = new URL('./baseline/', import.meta.url);

/** The schema of 1.0.0: a file for each room that owns tables, in the order of their references. */
export async function up(knex: Knex): Promise<void> {
  for (const file of readdirSync(FOLDER).sort()) await knex.raw(readFileSync(new URL(file, FOLDER), 'utf8'));
}
