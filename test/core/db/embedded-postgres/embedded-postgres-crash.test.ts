import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { startEmbeddedPostgres } from '../../../../core/db/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import { useEach } from '../../../support/use.ts';
import { query, serverPid } from '../programs/cluster.ts';
import { Program } from '../programs/program.ts';

const log = createLogger({ level: 'silent' });

describe('the embedded database when processes are killed', function () {
  const folder = useEach(this, temporaryFolder);
  let dataDir: string;

  beforeEach(() => {
    dataDir = join(folder.path, 'data');
  });

  const start = () => startEmbeddedPostgres({ dataDir, explicitDataDir: true, log });
  const startOwner = () => new Program('own-database', { dataDir, explicitDataDir: true });

  it('comes back by itself when only the server is killed', async () => {
    await using postgres = await start();
    const killed = serverPid(dataDir);
    process.kill(killed, 'SIGKILL');
    await until(async () => serverPid(dataDir) !== killed && (await query(postgres.url, 'select 1')).length === 1);
  });

  it('stops the server of an owner that was killed, and goes on with its rows', async () => {
    await using owner = startOwner();
    const { url } = JSON.parse(await owner.nextLine());
    await query(url, 'create table kept as select 7 as number');
    const orphan = serverPid(dataDir);
    await owner.kill('SIGKILL');
    expect(await query(url, 'select 1 as one'), 'the orphan still responds').to.deep.equal([{ one: 1 }]);

    await using postgres = await start();
    expect(serverPid(dataDir)).not.to.equal(orphan);
    expect(await query(postgres.url, 'select number from kept')).to.deep.equal([{ number: 7 }]);
  });

  it('starts when owner and server were killed together', async () => {
    await using owner = startOwner();
    await owner.nextLine();
    process.kill(serverPid(dataDir), 'SIGKILL');
    await owner.kill('SIGKILL');

    await using postgres = await start();
    expect(await query(postgres.url, 'select 1 as one')).to.deep.equal([{ one: 1 }]);
  });

  it('starts when the number in a stale pid file belongs to an unrelated process', async () => {
    await using owner = startOwner();
    await owner.nextLine();
    process.kill(serverPid(dataDir), 'SIGKILL');
    await owner.kill('SIGKILL');
    const file = join(dataDir, 'postgres', 'postmaster.pid');
    const [, ...rest] = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, [process.pid, ...rest].join('\n'));

    await using postgres = await start();
    expect(await query(postgres.url, 'select 1 as one')).to.deep.equal([{ one: 1 }]);
  });

  it('is refused to a second owner within two seconds, naming the first', async () => {
    await using owner = startOwner();
    await owner.nextLine();
    const begun = performance.now();
    await using second = startOwner();
    const { refused } = JSON.parse(await second.nextLine());
    expect((await second.exit).code).to.equal(1);
    // This is five times the two seconds, because other tests run at the same time.
    expect(performance.now() - begun).to.be.below(10_000);
    expect(refused).to.contain(`in use by process ${owner.process.pid}`);
  });

  it('goes to exactly one of several owners that start at once', async () => {
    await using stack = new AsyncDisposableStack();
    const owners = Array.from({ length: 4 }, () => stack.use(startOwner()));
    const responses = await Promise.all(owners.map(async (owner) => JSON.parse(await owner.nextLine())));
    expect(responses.filter(({ url }) => url !== undefined)).to.have.length(1);
    expect(responses.filter(({ refused }) => refused?.includes('in use by process'))).to.have.length(3);
  });

  it('starts over after a kill in the middle of the first initialisation', async () => {
    await using owner = startOwner();
    await until(async () => (await readdir(dataDir)).some((name) => name.startsWith('postgres.new-')));
    await owner.kill('SIGKILL');

    const postgres = await start();
    expect(await query(postgres.url, 'select 1 as one')).to.deep.equal([{ one: 1 }]);
    await postgres[Symbol.asyncDispose]();
  });
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo().catch(() => false))) await pause(5);
}
