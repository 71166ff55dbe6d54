import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { startEmbeddedPostgres } from '../../../../core/db/embedded-postgres/embedded-postgres.ts';
import { socketUrl } from '../../../../core/db/embedded-postgres/postgres-socket.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import { type SeededRandom, withSeededRandom } from '../../../support/seeded-random.ts';
import { size } from '../../../support/size.ts';
import { query, serverPid } from '../programs/cluster.ts';
import { Program } from '../programs/program.ts';

const RESTARTS = size(5, 200);
/** Five times the promised time, because other tests run at the same time. */
const OPEN_WITHIN_MS = 25_000;
const PROMISE = `keeps every acknowledged row over ${RESTARTS} kills and opens within five seconds each time`;
const SECONDS_PER_RESTART = 30;
const NUMBERS_PER_ROUND = 1_000_000;
const LONGEST_RUN_MS = 600;

describe('the embedded database under kill -9 (PGL-02)', () => {
  it(PROMISE, async function () {
    this.timeout(RESTARTS * SECONDS_PER_RESTART * 1000);
    await using folder = await temporaryFolder();
    const dataDir = join(folder.path, 'data');
    const acknowledged = new Set<number>();

    await withSeededRandom(async (random) => {
      for (let round = 1; round <= RESTARTS; round += 1) {
        const openedMs = await insertUntilKilled({ dataDir, round, random, acknowledged });
        expect(openedMs, `round ${round}`).to.be.below(OPEN_WITHIN_MS);
      }
    });

    await using postgres = await startEmbeddedPostgres({
      dataDir,
      explicitDataDir: true,
      log: createLogger({ level: 'silent' }),
    });
    const stored = new Set((await query(postgres.url, 'select number::int from acknowledged')).map(({ number }) => number));
    expect(acknowledged.size).to.be.above(RESTARTS);
    expect([...acknowledged].filter((number) => !stored.has(number))).to.deep.equal([]);
  });
});

interface Round {
  readonly dataDir: string;
  readonly round: number;
  readonly random: SeededRandom;
  readonly acknowledged: Set<number>;
}

/**
 * Inserts rows until the program, the database server or both are killed at a random moment.
 *
 * @returns the time that the database took to open, in milliseconds
 */
async function insertUntilKilled({ dataDir, round, random, acknowledged }: Round): Promise<number> {
  await using program = new Program('insert-loop', { dataDir, first: round * NUMBERS_PER_ROUND });
  const [, openedMs] = (await program.nextLine()).split(' ');
  const reading = readRows(program, acknowledged);

  const victim = random.pick(['owner', 'server', 'worker of the server', 'owner and server']);
  // The pause waits for nothing in particular; it makes the moment of the kill random.
  await pause(random.below(LONGEST_RUN_MS));
  if (victim.endsWith('server')) await killServer(dataDir, victim.startsWith('worker'), random);
  if (victim !== 'owner and server') await pause(random.below(LONGEST_RUN_MS));
  await program.kill();
  await reading;
  return Number(openedMs);
}

/**
 * Kills the server, or one of its processes (that of a database connection, the checkpointer, …). If such a process is killed,
 * the server recovers by itself.
 */
async function killServer(dataDir: string, onlyWorker: boolean, random: SeededRandom): Promise<void> {
  const url = socketUrl(join(dataDir, 'postgres'));
  const workers = await query(url, 'select pid from pg_stat_activity where pid <> pg_backend_pid()');
  const worker = workers[random.below(workers.length)]?.['pid'];
  process.kill(onlyWorker ? Number(worker) : serverPid(dataDir), 'SIGKILL');
}

async function readRows(program: Program, acknowledged: Set<number>): Promise<void> {
  for await (const line of { [Symbol.asyncIterator]: () => program.lines }) {
    const [kind, number] = line.split(' ');
    if (kind === 'row') acknowledged.add(Number(number));
  }
}
