import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { migrate } from '../../../core/db/migrate.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../../support/database.ts';
import { size } from '../../support/size.ts';
import { Program } from './programs/program.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));
const INSTANCES = 4;
const log = createLogger({ level: 'silent' });

describe('migrate (MIG-01)', () => {
  let all: string[];
  let half: string;

  before(async () => {
    all = (await readdir(MIGRATIONS)).flatMap((file) => /^(\d{4}_.*)\.ts$/.exec(file)?.[1] ?? []).toSorted();
    half = await mkdtemp(join(tmpdir(), 'svc-migrations-'));
    for (const name of all.slice(0, all.length / 2)) await cp(join(MIGRATIONS, `${name}.ts`), join(half, `${name}.ts`));
  });
  after(() => rm(half, { recursive: true, force: true }));

  for (let round = 1; round <= size(2, 30); round += 1) {
    it(`lets ${INSTANCES} instances start at once on an empty database (${round})`, async () => {
      await using database = await emptyDatabase();
      await expectOneMigrates(database, all);
    });

    it(`lets ${INSTANCES} instances start at once on an older schema (${round})`, async () => {
      await using database = await emptyDatabase();
      await migrate({ url: database.url, directory: half, log });
      await expectOneMigrates(database, all.slice(all.length / 2));
    });
  }

  for (const pass of [1, 3]) {
    it(`goes on after a kill inside migration ${pass}, of which nothing stays`, async () => {
      await using database = await emptyDatabase();
      await using killed = new Program('migrate-once', { url: database.url, directory: MIGRATIONS, faultAt: `migrate:${pass}` });
      expect((await killed.exit).signal).to.equal('SIGKILL');
      expect(await done(database)).to.deep.equal(all.slice(0, pass - 1));
      await expectOneMigrates(database, all.slice(pass - 1));
    });
  }

  it('does nothing to a schema that is newer than this version', async () => {
    await using database = await cloneDatabase();
    await database.db('schema_migrations').insert({ name: '9999_of_the_next_version' });
    await migrate({ url: database.url, log });
    expect(await done(database)).to.deep.equal([...all, '9999_of_the_next_version']);
  });

  it('keeps nothing of a migration that fails, and says which statement it was', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-migrations-'));
    const statements = `await knex.raw('create table half (id int)'); await knex.raw('select wrong');`;
    await writeFile(join(directory, '0001_wrong.ts'), `export async function up(knex) { ${statements} }\n`);
    await using database = await emptyDatabase();
    const fault = await migrate({ url: database.url, directory, log }).catch((error: Error) => error.message);
    await rm(directory, { recursive: true });
    expect(fault).to.contain('select wrong');
    expect(await database.db.schema.hasTable('half')).to.equal(false);
    expect(await done(database)).to.deep.equal([]);
  });
});

/** Starts the instances at once: all succeed, and each expected migration is run by exactly one of them. */
async function expectOneMigrates(database: TestDatabase, expected: readonly string[]): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const start = () => stack.use(new Program('migrate-once', { url: database.url, directory: MIGRATIONS }));
  const instances = Array.from({ length: INSTANCES }, start);
  const reported = await Promise.all(instances.map(reportedMigrations));
  const exits = await Promise.all(instances.map(({ exit }) => exit));
  expect(exits.map(({ code }) => code)).to.deep.equal(Array(INSTANCES).fill(0));
  expect(reported.flat().toSorted()).to.deep.equal(expected);
}

async function reportedMigrations(instance: Program): Promise<string[]> {
  const names: string[] = [];
  for await (const line of { [Symbol.asyncIterator]: () => instance.lines }) names.push(JSON.parse(line).migration);
  return names;
}

function done({ db }: TestDatabase): Promise<string[]> {
  return db('schema_migrations').orderBy('name').pluck('name');
}
