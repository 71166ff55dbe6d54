import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { findRunning, startEmbeddedPostgres } from '../../../../core/db/embedded-postgres/embedded-postgres.ts';
import { stopLeftoverServer } from '../../../../core/db/embedded-postgres/leftover-server.ts';
import { serverProcesses } from '../../../../core/db/embedded-postgres/server-processes.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { type Folder, temporaryFolder } from '../../../support/folders.ts';
import { isAlive } from '../../../support/is-alive.ts';
import { needNamespaces, quote } from '../../../support/namespaces.ts';
import { withSeededRandom } from '../../../support/seeded-random.ts';
import { isLong, size } from '../../../support/size.ts';
import { query, serverPid } from '../programs/cluster.ts';
import { Program } from '../programs/program.ts';

const log = createLogger({ level: 'silent' });
const ROUNDS = size(2, 20);
const NUMBERS_PER_ROUND = 1_000_000;
const LONGEST_RUN_MS = 400;

/** How the owner of the database is started in one round, and how it reaches the data directory. */
interface Approach {
  readonly dataDir: string;
  readonly within?: (command: readonly string[]) => readonly string[];
  /** Returns the PID of the owner if the started process is not the owner but its parent. */
  readonly owner?: (started: number) => number;
}

describe('a database server whose owner was killed (PGL-02)', function () {
  this.timeout(isLong ? 600_000 : 90_000);
  let folder: Folder;
  let dataDir: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder.path, 'data');
  });
  afterEach(async () => {
    await stopLeftoverServer(join(dataDir, 'postgres'));
    await folder[Symbol.asyncDispose]();
  });

  it('is stopped by an owner who comes through a symbolic link, and no acknowledged row is lost', async () => {
    const link = join(folder.path, 'link');
    await mkdir(dataDir);
    await symlink(dataDir, link);
    await killOwners((round) => ({ dataDir: round % 2 === 0 ? dataDir : link }));
  });

  it('is stopped by an owner who comes through a bind mount, and no acknowledged row is lost', async function () {
    needNamespaces(this, '--mount');
    const mount = join(folder.path, 'mount');
    await mkdir(mount);
    const bound: Approach = {
      dataDir: mount,
      within: (command) => unshare(['--mount'], `mount --bind ${quote(dataDir)} ${quote(mount)} && exec ${shell(command)}`),
    };
    await killOwners((round) => (round % 2 === 0 ? { dataDir } : bound));
  });

  it('is stopped by an owner in another PID namespace, who cannot see it, and no acknowledged row is lost', async function () {
    needNamespaces(this, '--mount', '--pid', '--ipc');
    // Each owner runs in its own container, whose first process lives on when the service in it is killed.
    const contained: Approach = {
      dataDir,
      within: (command) =>
        unshare(['--mount', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc'], `${shell(command)}; exec sleep 600`),
      owner: (started) => onlyChild(onlyChild(started)),
    };
    await killOwners(() => contained);
  });

  it('is looked for without a signal to an unrelated process that has its process ID', async () => {
    await using stranger = new Program('stranger', { looksLike: ['postgres', '-D', join(dataDir, 'postgres')] });
    expect(await stranger.nextLine()).to.equal('here');
    const pid = stranger.process.pid ?? 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await using owner = new Program('own-database', { dataDir, explicitDataDir: true });
      await owner.nextLine();
      process.kill(serverPid(dataDir), 'SIGKILL');
      await owner.kill();
      await pretendPid(dataDir, pid);

      await using postgres = await startEmbeddedPostgres({ dataDir, explicitDataDir: true, log });
      expect(await query(postgres.url, 'select 1 as one')).to.deep.equal([{ one: 1 }]);
      expect(serverPid(dataDir)).not.to.equal(pid);
      expect(isAlive(pid)).to.equal(true);
    }
    // The stranger prints signals in order, so an earlier signal would be the first line.
    process.kill(pid, 'SIGHUP');
    expect(await stranger.nextLine()).to.equal('SIGHUP');
    await stranger.kill('SIGKILL');
  });

  it('is stopped even if its pid file names an unrelated process', async () => {
    await using owner = new Program('own-database', { dataDir, explicitDataDir: true });
    const { url } = JSON.parse(await owner.nextLine());
    await query(url, 'create table kept as select 7 as number');
    const orphan = serverPid(dataDir);
    await owner.kill();
    await pretendPid(dataDir, process.pid);
    expect(postmasters(join(dataDir, 'postgres'))).to.deep.equal([orphan]);

    await using postgres = await startEmbeddedPostgres({ dataDir, explicitDataDir: true, log });
    expect(postmasters(join(dataDir, 'postgres'))).not.to.include(orphan);
    expect(await query(postgres.url, 'select number from kept')).to.deep.equal([{ number: 7 }]);
  });

  it('is left alone by an owner that starts on a copy of its directory', async () => {
    await using original = await startEmbeddedPostgres({ dataDir, explicitDataDir: true, log });
    await query(original.url, 'create table kept as select 7 as number; checkpoint');
    const copy = join(folder.path, 'copy');
    execFileSync('cp', ['-a', dataDir, copy]);
    const pid = serverPid(dataDir);
    expect(serverPid(copy), 'the copied pid file names the original').to.equal(pid);

    expect(await findRunning({ dataDir: copy, explicitDataDir: true })).to.equal(undefined);
    await using other = await startEmbeddedPostgres({ dataDir: copy, explicitDataDir: true, log });
    expect(other.url).not.to.equal(original.url);
    expect(isAlive(pid)).to.equal(true);
    expect(await query(original.url, 'select number from kept')).to.deep.equal([{ number: 7 }]);
  });

  /** Kills one owner after the other as it inserts rows; its server lives on, and the next owner finds that server. */
  async function killOwners(approach: (round: number) => Approach): Promise<void> {
    const acknowledged = new Set<number>();
    const cluster = join(dataDir, 'postgres');
    await mkdir(dataDir, { recursive: true });
    await using stack = new AsyncDisposableStack();
    await withSeededRandom(async (random) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { dataDir: path, within, owner } = approach(round);
        const before = postmasters(cluster);
        expect(before, 'the server left over from the previous round').to.have.length(round === 0 ? 0 : 1);
        const program = new Program('insert-loop', { dataDir: path, first: round * NUMBERS_PER_ROUND }, within && { within });
        stack.defer(() => program.kill());
        expect(await program.nextLine()).to.match(/^open /);
        const after = postmasters(cluster);
        expect(after, 'one server').to.have.length(1);
        expect(after[0], 'another one').not.to.equal(before[0]);
        keepRow(await program.nextLine(), acknowledged);
        const reading = readRows(program, acknowledged);
        // The pause waits for nothing in particular; it makes the moment of the kill random.
        await pause(random.below(LONGEST_RUN_MS));
        const started = program.process.pid ?? 0;
        process.kill(owner?.(started) ?? started, 'SIGKILL');
        if (owner === undefined) await reading;
      }
    });
    await using postgres = await startEmbeddedPostgres({ dataDir, explicitDataDir: true, log });
    const stored = new Set((await query(postgres.url, 'select number::int from acknowledged')).map(({ number }) => number));
    expect(acknowledged.size).to.be.at.least(ROUNDS);
    expect([...acknowledged].filter((number) => !stored.has(number))).to.deep.equal([]);
  }
});

function unshare(options: readonly string[], script: string): readonly string[] {
  return ['unshare', ...options, 'sh', '-c', script];
}

function shell(command: readonly string[]): string {
  return command.map(quote).join(' ');
}

function postmasters(cluster: string): readonly number[] {
  const seen = serverProcesses(cluster);
  return seen.filter(({ pid }) => seen.some(({ parentPid }) => parentPid === pid)).map(({ pid }) => pid);
}

function onlyChild(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  expect(children).to.have.length(1);
  return children[0] ?? 0;
}

async function pretendPid(dataDir: string, pid: number): Promise<void> {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const [, ...rest] = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, [pid, ...rest].join('\n'));
}

async function readRows(program: Program, acknowledged: Set<number>): Promise<void> {
  for await (const line of { [Symbol.asyncIterator]: () => program.lines }) keepRow(line, acknowledged);
}

function keepRow(line: string, acknowledged: Set<number>): void {
  const [kind, number] = line.split(' ');
  if (kind === 'row') acknowledged.add(Number(number));
}
