import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../core/db/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { serverPid } from '../core/db/programs/cluster.ts';
import { rememberSecret } from '../support/canaries.ts';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../support/database.ts';
import { relayTo } from '../support/database-relay.ts';
import { temporaryFolder } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { startOldPostgres } from '../support/old-postgres.ts';
import { ServiceProcess } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/** The key of the advisory lock that `core/db/migrate.ts` takes. */
const MIGRATION_LOCK = 7_130_914_225;
const log = createLogger({ level: 'silent' });

async function begin(url: string): Promise<ServiceProcess> {
  return new ServiceProcess({ env: { ...newServiceEnv(), DATABASE_URL: url }, port: await freePort() });
}

/** Asserts that the service waits for the database for this reason, and that it starts once `mend` has removed the cause. */
async function expectPatience(url: string, reason: string, mend: () => unknown): Promise<void> {
  await using service = await begin(url);
  const waiting = await service.logged('waiting for the database');
  expect(waiting['reason']).to.contain(reason);
  await mend();
  await service.ready();
}

async function inTransaction(database: TestDatabase, statement: string): Promise<{ end(): Promise<unknown> }> {
  const trx = await database.db.transaction();
  await trx.raw(statement);
  return { end: () => trx.rollback() };
}

/** Creates a role that owns nothing in this database. @returns its name, and the URL with which it connects */
async function urlOfRole({ db, url }: TestDatabase, grant: string): Promise<{ name: string; url: string }> {
  const name = `role_${randomUUID().replaceAll('-', '')}`;
  await db.raw(`create role ${name} login; ${grant.replaceAll('ROLE', name)}`);
  const own = new URL(url);
  own.searchParams.set('user', name);
  return { name, url: own.href };
}

async function openSession(url: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  return session;
}

describe('a start without a usable database', function () {
  const folder = use(this, temporaryFolder);

  it('waits while the database is unreachable', async () => {
    await using database = await cloneDatabase();
    await using relay = await relayTo(database);
    relay.cut();
    await expectPatience(relay.database.url, 'it does not respond', () => relay.restore());
  });

  it('waits while the database accepts connections but does not respond', async () => {
    await using database = await cloneDatabase();
    await using relay = await relayTo(database);
    relay.freeze();
    await expectPatience(relay.database.url, 'it does not respond', () => relay.restore());
  });

  it('waits while the database shuts down, and goes on with the next server', async () => {
    const dataDir = join(folder.path, 'restarted');
    await using server = await startEmbeddedPostgres({ dataDir, explicitDataDir: true, log });
    const session = await openSession(server.url);
    // A "smart shutdown" (Postgres documentation, "Shutting Down the Server") waits for this session to end and accepts no other.
    process.kill(serverPid(dataDir), 'SIGTERM');
    await expectPatience(server.url, 'it is starting or shutting down (57P03)', () => session.end());
  });

  it('waits while all connections of the database are in use', async () => {
    await using database = await emptyDatabase();
    const grant = 'alter role ROLE connection limit 0; grant all on schema public to ROLE';
    const { name, url } = await urlOfRole(database, grant);
    await database.db.raw(`grant create on database ${new URL(url).pathname.slice(1)} to ${name}`);
    const makeRoom = () => database.db.raw(`alter role ${name} connection limit -1`);
    await expectPatience(url, 'all its connections are in use (53300)', makeRoom);
  });

  it('waits while a lock delays a statement', async () => {
    await using database = await cloneDatabase();
    const lock = await inTransaction(database, 'lock table encryption_keys in access exclusive mode');
    await expectPatience(database.url, 'it does not respond', () => lock.end());
  });

  it('ends at once if the database refuses user, name or privilege, or is too old', async () => {
    await using database = await emptyDatabase();
    await using old = await startOldPostgres(140_002);
    const guest = await urlOfRole(database, '');
    const stranger = new URL(database.url);
    stranger.searchParams.set('user', 'stranger');
    const nowhere = new URL(database.url);
    nowhere.pathname = '/nowhere';
    const cases = [
      [stranger.href, 'it does not accept this user or password (28000)'],
      [nowhere.href, 'it has no database of this name (3D000)'],
      [guest.url, 'the user of DATABASE_URL lacks a permission (42501)'],
      [old.url, 'Postgres 14.2 is too old: use Postgres 15 or newer'],
    ] as const;
    for (const [url, words] of cases) {
      await using service = await begin(url);
      expect((await service.exit).code).to.equal(1);
      expect(service.output.stderr)
        .to.match(/^svc: .*\n$/)
        .and.contain(words);
      expect(service.output.stdout).not.to.contain('waiting');
    }
  });

  it('can be stopped while it waits for the database', async () => {
    const password = rememberSecret('database password', randomUUID());
    await using service = await begin(`postgres://svc:${password}@localhost:1/svc`);
    expect((await service.logged('waiting for the database'))['reason']).to.contain('nothing listens at its address');
    service.signal('SIGTERM');
    expect(await service.exit).to.deep.equal({ code: 0, signal: null });
    expect(service.output.stderr).to.equal('');
    expect(service.output.stdout).not.to.contain(password);
  });

  it('can be stopped between two migrations', async () => {
    await using database = await emptyDatabase();
    const lock = await inTransaction(database, `select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await using service = await begin(database.url);
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted and database = (
      select oid from pg_database where datname = current_database())`;
    await until('it waits for the lock', async () => (await database.db.raw(waiting)).rows.length > 0);
    service.signal('SIGTERM');
    await service.logged('stopping');
    await lock.end();
    expect(await service.exit).to.deep.equal({ code: 0, signal: null });
    expect(service.output.stdout).not.to.contain('"ready"');
    expect(await database.db('schema_migrations').select()).to.deep.equal([]);
  });
});
