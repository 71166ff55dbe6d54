import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Program } from '../core/db/programs/program.ts';
import type { TestDatabase } from './database.ts';
import { projectFolder } from './source-files.ts';

/**
 * Migrates a database in several processes at the same time, each of which must succeed.
 *
 * @returns the names of the migrations that the processes ran, sorted
 */
export async function migrateAtOnce({ url }: TestDatabase, directory: string, count: number): Promise<readonly string[]> {
  await using stack = new AsyncDisposableStack();
  const instances = Array.from({ length: count }, () => stack.use(new Program('migrate-once', { url, directory })));
  const reported = await Promise.all(instances.map(migrationsOf));
  const exits = await Promise.all(instances.map(({ exit }) => exit));
  expect(exits.map(({ code }) => code)).to.deep.equal(Array(count).fill(0));
  return reported.flat().toSorted();
}

/**
 * Copies the project's migrations to a new folder and adds the planted ones, which stand in for later migrations.
 *
 * @param planted SQL by the name of its migration
 * @returns the folder, for the caller to remove
 */
export async function copyOfMigrations(planted: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-migrations-'));
  await cp(join(projectFolder, 'migrations'), folder, { recursive: true });
  for (const [name, sql] of Object.entries(planted))
    await writeFile(join(folder, `${name}.ts`), `export const up = (knex) => knex.raw('${sql}');\n`);
  return folder;
}

async function migrationsOf(instance: Program): Promise<string[]> {
  const names: string[] = [];
  for await (const line of { [Symbol.asyncIterator]: () => instance.lines }) names.push(JSON.parse(line).migration);
  return names;
}
