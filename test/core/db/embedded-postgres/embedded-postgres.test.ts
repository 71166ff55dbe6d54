import { lstat, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type EmbeddedPostgresOptions,
  findRunning,
  startEmbeddedPostgres,
} from '../../../../core/db/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import { isAlive } from '../../../support/is-alive.ts';
import { use, useEach } from '../../../support/use.ts';
import { query, serverPid, setting, socketDirOf } from '../programs/cluster.ts';

const log = createLogger({ level: 'silent' });

describe('a server of the embedded database', function () {
  const folder = use(this, temporaryFolder);
  let dataDir: string;

  before(() => {
    dataDir = join(folder.path, 'data');
    process.env['EMBEDDED_TEST'] = 'environment-canary';
  });
  const postgres = use(this, () => startEmbeddedPostgres({ dataDir, explicitDataDir: true, log }));
  after(() => {
    delete process.env['EMBEDDED_TEST'];
  });

  it('is Postgres 18 in UTF-8, never gives up what it acknowledged, and has no network address', async () => {
    expect(await setting(postgres.url, 'server_version_num')).to.match(/^18/);
    expect(await setting(postgres.url, 'server_encoding')).to.equal('UTF8');
    expect(await setting(postgres.url, 'listen_addresses')).to.equal('');
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
      expect(await setting(postgres.url, name), name).to.equal('on');
    }
  });

  it('keeps data, log and socket from other users', async () => {
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).to.equal(0o700);
    expect((await stat(join(dataDir, 'postgres.log'))).mode & 0o777).to.equal(0o600);
    expect(socketDirOf(postgres.url)).to.equal(join(dataDir, 'postgres'));
  });

  it('does not hand the environment of the service to the server', async () => {
    expect(await readFile(`/proc/${serverPid(dataDir)}/environ`, 'utf8')).not.to.contain('environment-canary');
  });

  it('writes no values of failed statements into its log', async () => {
    await query(postgres.url, `create table t (name text primary key); insert into t values ('value-canary')`);
    await query(postgres.url, `insert into t values ('value-canary')`).catch(() => undefined);
    const written = await readFile(join(dataDir, 'postgres.log'), 'utf8');
    expect(written).to.contain('duplicate key').and.not.to.contain('value-canary');
  });
});

describe('the embedded database', function () {
  const folder = useEach(this, temporaryFolder);
  let dataDir: string;

  beforeEach(() => {
    dataDir = join(folder.path, 'data');
  });

  const start = (choice: Partial<EmbeddedPostgresOptions> = {}) =>
    startEmbeddedPostgres({ dataDir, explicitDataDir: true, log, ...choice });

  it('keeps rows over a clean stop, after which nothing runs and no socket is left', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 7 as number');
    const pid = serverPid(dataDir);
    await first[Symbol.asyncDispose]();
    expect(isAlive(pid)).to.equal(false);
    expect(await readdir(join(dataDir, 'postgres'))).not.to.include('.s.PGSQL.5432');

    await using second = await start();
    expect(await query(second.url, 'select number from kept')).to.deep.equal([{ number: 7 }]);
  });

  it('works below a path with spaces, quotes and commas', async () => {
    await using postgres = await start({ dataDir: join(folder.path, `a "dir", it's`) });
    expect(await query(postgres.url, 'select 1 as one')).to.deep.equal([{ one: 1 }]);
  });

  it('puts the socket into a private temporary folder if its path would be too long', async () => {
    dataDir = join(folder.path, 'a-long-name-'.repeat(9));
    const postgres = await start();
    const socketDir = socketDirOf(postgres.url);
    expect(socketDir).not.to.contain(dataDir);
    expect((await lstat(socketDir)).mode & 0o777).to.equal(0o700);
    expect((await findRunning({ dataDir, explicitDataDir: true }))?.url).to.equal(postgres.url);

    await postgres[Symbol.asyncDispose]();
    expect(await lstat(socketDir).catch(() => 'gone')).to.equal('gone');
  });

  it('is found by a command while it runs, and not afterwards', async () => {
    const choice = { dataDir, explicitDataDir: true };
    expect(await findRunning(choice)).to.equal(undefined);
    const postgres = await start();
    expect((await findRunning(choice))?.url).to.equal(postgres.url);
    await postgres[Symbol.asyncDispose]();
    expect(await findRunning(choice)).to.equal(undefined);
  });

  it('refuses a cluster of another major version', async () => {
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    expect(await refusal(start())).to.contain('created by Postgres 17');
  });

  it('refuses a path that is no directory, and says what to do', async () => {
    await writeFile(dataDir, '');
    expect(await refusal(start()))
      .to.contain(`cannot write data to ${dataDir} (EEXIST)`)
      .and.contain('SVC_DATA_DIR');
  });
});

async function refusal(attempt: Promise<AsyncDisposable>): Promise<string> {
  try {
    await using _unexpected = await attempt;
  } catch (error) {
    expect(error).to.have.property('name', 'EmbeddedPostgresError');
    return error instanceof Error ? error.message : '';
  }
  throw new Error('it was not refused');
}
