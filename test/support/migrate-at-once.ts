import { expect } from 'chai';
import { Program } from '../core/db/programs/program.ts';
import type { TestDatabase } from './database.ts';

/** Processes that migrate a database at the same time, each of which must succeed. @returns the migrations that they ran, sorted */
export async function migrateAtOnce({ url }: TestDatabase, directory: string, count: number): Promise<readonly string[]> {
  await using stack = new AsyncDisposableStack();
  const instances = Array.from({ length: count }, () => stack.use(new Program('migrate-once', { url, directory })));
  const reported = await Promise.all(instances.map(migrationsOf));
  const exits = await Promise.all(instances.map(({ exit }) => exit));
  expect(exits.map(({ code }) => code)).to.deep.equal(Array(count).fill(0));
  return reported.flat().toSorted();
}

async function migrationsOf(instance: Program): Promise<string[]> {
  const names: string[] = [];
  for await (const line of { [Symbol.asyncIterator]: () => instance.lines }) names.push(JSON.parse(line).migration);
  return names;
}
