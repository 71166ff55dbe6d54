import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { KeyRing, newKeyRingText } from '../../../../core/kit/key-ring.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { checkBackup } from '../../../../core/operate/backup/check-backup.ts';
import { headerOf } from '../../../../core/operate/backup/read-backup.ts';
import { restoreBackup } from '../../../../core/operate/backup/restore-backup.ts';
import { BACKED_UP, LEFT_OUT } from '../../../../core/operate/backup/tables.ts';
import { writeBackup } from '../../../../core/operate/backup/write-backup.ts';
import { ALL_SEALED } from '../../../../core/operate/keys/sealed-columns.ts';
import { startApp } from '../../../support/app.ts';
import { cloneDatabase, emptyDatabase } from '../../../support/database.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import { copyOfMigrations } from '../../../support/migrations.ts';
import { type Content, check, fill } from '../../../support/stored-installation/content.ts';
import { type Rows, readRows } from '../../../support/stored-installation/rows.ts';
import { openWorld } from '../../../support/stored-installation/world.ts';
import { use } from '../../../support/use.ts';

const log = createLogger({ level: 'silent' });
const NOW = new Date('2026-11-29T12:00:00Z');

/** A table of the schema, and the tables that its rows refer to. */
interface Table {
  readonly name: string;
  readonly refers: readonly string[];
}

describe('a backup', function () {
  const folder = use(this, temporaryFolder);
  const tokens = new Set<string>();
  const world = use(this, () => openWorld(tokens));
  const source = use(this, cloneDatabase);
  const path = (name: string) => join(folder.path, name);
  let content: Content;
  let keys: KeyRing;
  let rows: Rows;

  async function backUp(name: string, url = source.url): Promise<string> {
    await using file = await open(path(name), 'wx');
    await writeBackup({ url, log, now: NOW }, file);
    return path(name);
  }

  /** Writes a copy of a backup whose text is changed. */
  async function changed(name: string, change: (text: string) => string): Promise<string> {
    const text = gunzipSync(await readFile(path('all'))).toString('utf8');
    const result = change(text);
    expect(result, 'nothing was changed').not.to.equal(text);
    await writeFile(path(name), gzipSync(result));
    return path(name);
  }

  async function failure(work: Promise<unknown>): Promise<string> {
    return work.then(
      () => 'none',
      (error: Error) => error.message,
    );
  }

  before(async () => {
    const app = await startApp({ database: source, net: world.net });
    content = await fill(app);
    tokens.add(content.refreshToken);
    keys = KeyRing.parse(app.encryptionKeys);
    await app.services.activity.flush();
    await app[Symbol.asyncDispose]();
    rows = await readRows(source.db);
    await backUp('all');
  });

  it('has every table of the schema but those that are left out, and none before one that its rows refer to', async () => {
    const { rows: tables }: { rows: Table[] } = await source.db.raw(`
      select relname::text as name, array(
        select confrelid::regclass::text from pg_constraint where conrelid = c.oid and contype = 'f') as refers
      from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
    const names = tables.map(({ name }) => name);
    expect([...BACKED_UP, ...LEFT_OUT].toSorted()).to.deep.equal(names.toSorted());
    const place = new Map(BACKED_UP.map((name, index) => [name as string, index]));
    for (const { name, refers } of tables)
      for (const other of refers) expect(place.get(other), `${name} refers to ${other}`).to.be.at.most(place.get(name) ?? -1);
  });

  it('brings back every row, and everything in it can be used', async () => {
    await using target = await emptyDatabase();
    await restoreBackup(path('all'), { url: target.url, keys, log });
    const found = await readRows(target.db);
    for (const table of BACKED_UP) expect(sorted(found[table]), table).to.deep.equal(sorted(rows[table]));
    expect(BACKED_UP.filter((table) => (found[table] ?? []).length > 0)).to.include.members([
      ...['connections', 'refreshes', 'webhook_messages', 'script_queue', 'operation_log', 'audit_entries', 'members'],
    ]);
    const env = { SVC_ENCRYPTION_KEYS: content.encryptionKeys, SVC_BOOTSTRAP_API_KEY: content.apiKey };
    await using app = await startApp({ database: target, net: world.net, env });
    await check(app, content);
  });

  it('continues the sequences, so that no ID is given twice', async () => {
    await using database = await cloneDatabase();
    await database.db.raw(`insert into accounts (name) values ('a'), ('b'); delete from accounts where name = 'b'`);
    await backUp('sequences', database.url);
    await using target = await emptyDatabase();
    await restoreBackup(path('sequences'), { url: target.url, keys, log });
    const { rows: made } = await target.db.raw(`insert into accounts (name) values ('c') returning id`);
    expect(made[0].id).to.equal(3);
  });

  it('protects the audit trail after it is restored as before', async () => {
    await using target = await emptyDatabase();
    await restoreBackup(path('all'), { url: target.url, keys, log });
    for (const statement of ['update audit_head set sequence = 0', 'delete from audit_head', 'truncate audit_entries'])
      expect(await failure(target.db.raw(statement)), statement).to.contain('append-only');
  });

  it('is checked: each kind of encrypted value is read once', async () => {
    const { rows: counts, readable } = await checkBackup(path('all'), keys);
    expect(Object.keys(counts)).to.deep.equal(BACKED_UP);
    const present = await Promise.all(
      ALL_SEALED.map(async ({ table, column }) => (await source.db(table).whereNotNull(column).limit(1)).length),
    );
    expect(readable).to.equal(present.reduce((sum, one) => sum + one, 0));
    expect(readable).to.be.above(10);
    expect(await failure(checkBackup(path('all'), KeyRing.parse(newKeyRingText())))).to.contain(
      'the keys do not open what is in',
    );
  });

  it('is refused, and nothing is written, when it is damaged, no backup, or of another key', async () => {
    const whole = await readFile(path('all'));
    await writeFile(path('cut'), whole.subarray(0, -20));
    await writeFile(path('broken'), Buffer.concat([whole.subarray(0, 2000), Buffer.from([1, 2, 3]), whole.subarray(2003)]));
    await writeFile(path('text'), 'a text');
    await writeFile(path('zipped'), gzipSync('a text'));
    const cases: readonly (readonly [string, string])[] = [
      [path('cut'), 'the backup is incomplete, or was changed'],
      [path('broken'), 'the backup is incomplete, or was changed'],
      [path('text'), 'this is not a backup of svc'],
      [path('zipped'), 'this is not a backup of svc'],
      [await changed('without-row', (text) => text.replace(/\n1\t[^\n]*/, '')), 'the backup is incomplete, or was changed'],
      [await changed('without-end', (text) => text.replace(/\n[^\n]+\n$/, '\n')), 'the backup is incomplete, or was changed'],
      [await changed('with-more', (text) => `${text}\n`), 'the backup is incomplete, or was changed'],
      [await changed('version-2', (text) => text.replace('"version":1', '"version":2')), 'this release reads version 1'],
      [
        await changed('newer', (text) => text.replace('"0001_baseline"', '"0001_baseline","9999_next"')),
        'with that version or a newer one',
      ],
    ];
    await using target = await emptyDatabase();
    for (const [file, words] of cases) {
      expect(await failure(restoreBackup(file, { url: target.url, keys, log })), file).to.contain(words);
      expect(await failure(checkBackup(file, keys)), file).to.not.equal('none');
    }
    const other = KeyRing.parse(newKeyRingText());
    expect(await failure(restoreBackup(path('all'), { url: target.url, keys: other, log }))).to.contain('key "k1"');
    expect(await target.db('accounts').select()).to.deep.equal([]);
    await restoreBackup(path('all'), { url: target.url, keys, log });
    expect(await failure(restoreBackup(path('all'), { url: target.url, keys, log }))).to.contain('the database is not empty');
  });

  it('of an earlier version is restored with its schema, which the next start migrates', async () => {
    const next = await copyOfMigrations({ '9999_next': 'alter table accounts add column next text' });
    await using target = await emptyDatabase();
    await restoreBackup(path('all'), { url: target.url, keys, log, directory: next });
    expect((await headerOf(path('all'))).migrations).not.to.include('9999_next');
    expect(await target.db.schema.hasColumn('accounts', 'next')).to.equal(false);
    await using empty = await emptyDatabase();
    await empty.db.raw(
      `create table schema_migrations (name text primary key); insert into schema_migrations values ('9999_next')`,
    );
    const refused = restoreBackup(path('all'), { url: empty.url, keys, log, directory: next });
    expect(await failure(refused)).to.contain('the database has a newer schema than the backup');
  });
});

function sorted(rows: readonly object[] = []): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
