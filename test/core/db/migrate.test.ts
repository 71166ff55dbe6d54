import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { migrate, migrationNames } from '../../../core/db/migrate.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../../support/database.ts';
import { copyOfMigrations, migrateAtOnce } from '../../support/migrations.ts';
import { size } from '../../support/size.ts';
import { until } from '../../support/until.ts';
import { Program } from './programs/program.ts';

const SECOND = { '8888_second': 'create table second ()' };
const INSTANCES = 4;
const log = createLogger({ level: 'silent' });

describe('migrate (MIG-01)', () => {
  let all: string[];
  let whole: string;
  let half: string;

  before(async () => {
    whole = await copyOfMigrations({ ...SECOND, '9999_third': 'create table third ()' });
    half = await copyOfMigrations(SECOND);
    all = (await readdir(whole)).flatMap((file) => /^(\d{4}_.*)\.ts$/.exec(file)?.[1] ?? []).toSorted();
  });
  after(() => Promise.all([whole, half].map((folder) => rm(folder, { recursive: true, force: true }))));

  it('refuses a database that was created before 1.0.0, and says what to do', async () => {
    await using database = await emptyDatabase();
    await database.db.schema.createTable('schema_migrations', (table) => table.text('name').primary());
    await database.db('schema_migrations').insert({ name: '0001_accounts' });
    const refused = await migrate({ url: database.url, log }).catch((error: Error) => error.message);
    expect(refused).to.contain('created before 1.0.0').and.contain('import');
    expect(await database.db.schema.hasTable('accounts')).to.equal(false);
  });

  for (let round = 1; round <= size(2, 30); round += 1) {
    it(`lets ${INSTANCES} instances start at once on an empty database (${round})`, async () => {
      await using database = await emptyDatabase();
      expect(await migrateAtOnce(database, whole, INSTANCES)).to.deep.equal(all);
    });

    it(`lets ${INSTANCES} instances start at once on an older schema (${round})`, async () => {
      await using database = await emptyDatabase();
      await migrate({ url: database.url, directory: half, log });
      expect(await migrateAtOnce(database, whole, INSTANCES)).to.deep.equal(all.slice(-1));
    });
  }

  it('says in the log that it waits for another process, which holds the lock', async () => {
    await using database = await emptyDatabase();
    await migrate({ url: database.url, log });
    const lines: string[] = [];
    const holder = await database.db.transaction();
    await holder.raw('select pg_advisory_xact_lock(7130914225)');
    const waiting = migrate({ url: database.url, log: createLogger({ level: 'warn', write: (line) => lines.push(line) }) });
    await until('the log says so', () => lines.some((line) => line.includes('waiting for another process')));
    await holder.rollback();
    await waiting;
  });

  for (const pass of [1, 3]) {
    it(`goes on after a kill inside migration ${pass}, which leaves nothing behind`, async () => {
      await using database = await emptyDatabase();
      await using killed = new Program('migrate-once', { url: database.url, directory: whole, faultAt: `migrate:${pass}` });
      expect((await killed.exit).signal).to.equal('SIGKILL');
      expect(await done(database)).to.deep.equal(all.slice(0, pass - 1));
      expect(await migrateAtOnce(database, whole, INSTANCES)).to.deep.equal(all.slice(pass - 1));
    });
  }

  it('does nothing to a schema that is newer than this version', async () => {
    await using database = await cloneDatabase();
    await database.db('schema_migrations').insert({ name: '9999_of_the_next_version' });
    await migrate({ url: database.url, log });
    expect(await done(database)).to.deep.equal([...(await migrationNames()), '9999_of_the_next_version']);
  });

  it('keeps nothing of a migration that fails, and names the statement that failed', async () => {
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

function done({ db }: TestDatabase): Promise<string[]> {
  return db('schema_migrations').orderBy('name').pluck('name');
}
