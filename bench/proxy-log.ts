import { CALL_HEADERS } from '../test/support/proxy-harness.ts';
import { startEmbedded } from './embedded.ts';
import { cpuSeconds } from './process-tree.ts';
import { Program, putLoad } from './program.ts';
import { median } from './quantile.ts';

const CONNECTIONS = 32;
const ROUNDS = 10;
const SECONDS = 3;
const WARM_UP_SECONDS = 2;

interface Rate {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

/**
 * Measures how many requests per second svc's proxy handles with the operation log, which counts all requests and keeps some, and
 * without it. Each round measures both, in the opposite order of the round before, so that a slow moment of the machine affects
 * both.
 */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const upstream = stack.use(await Program.start('upstream'));
  const { db, url } = await startEmbedded(stack);
  const target = `http://127.0.0.1:${upstream.port}`;
  const without = stack.use(await Program.start('edge', [target]));
  const withLog = stack.use(await Program.start('edge', [target, url]));
  for (const one of [without, withLog]) await measure(one, WARM_UP_SECONDS);

  const pairs: { readonly off: Rate; readonly on: Rate }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = await measure(round % 2 === 0 ? without : withLog, SECONDS);
    const second = await measure(round % 2 === 0 ? withLog : without, SECONDS);
    pairs.push(round % 2 === 0 ? { off: first, on: second } : { off: second, on: first });
  }
  const { rows }: { rows: [{ kept: number; counted: number }] } = await db.raw(
    'select (select count(*)::int from operation_log) as kept, (select sum(count)::int from operation_counts) as counted',
  );
  const [{ kept, counted }] = rows;
  const middle = (read: (pair: (typeof pairs)[number]) => number) => median(pairs.map(read));
  console.log(`  ${CONNECTIONS} connections, median of ${ROUNDS} pairs of ${SECONDS} s`);
  for (const which of ['off', 'on'] as const) {
    const cpu = middle((pair) => pair[which].cpuMicroseconds).toFixed(0);
    console.log(
      `  log ${which.padEnd(4)} ${middle((pair) => pair[which].perSecond).toFixed(0)} requests/s, ${cpu} µs of the proxy each`,
    );
  }
  console.log(
    `  on ÷ off: ${middle(({ on, off }) => on.perSecond / off.perSecond).toFixed(3)}; ${kept} kept, ${counted} counted`,
  );
}

async function measure({ port, pid }: Program, seconds: number): Promise<Rate> {
  const before = await cpuSeconds(pid);
  const result = await putLoad({ port, path: '/proxy/items?page=1', headers: CALL_HEADERS, connections: CONNECTIONS, seconds });
  const cpu = (await cpuSeconds(pid)) - before;
  return { perSecond: result.requests / result.seconds, cpuMicroseconds: (cpu / result.requests) * 1e6 };
}
