import { type Contestant, FASTIFY, ORIGINAL, OURS, OURS_BARE, startContestants } from './contestants.ts';
import { cpuSeconds } from './process-tree.ts';
import { Program, putLoad } from './program.ts';
import { median } from './quantile.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
const SECONDS = 3;
const WARM_UP_SECONDS = 2;
const GOALS = [
  [FASTIFY, 1],
  [ORIGINAL, 1.5],
] as const;

interface Rate {
  readonly perSecond: number;
  /** The processor time per request, summed over the processes of the proxy, including a database that it starts itself. */
  readonly cpuMicroseconds: number;
}

type Round = ReadonlyMap<string, Rate>;

/**
 * Measures how many requests per second each proxy handles. The proxies take turns, so that a slow moment of the machine affects
 * all of them.
 */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const upstream = stack.use(await Program.start('upstream'));
  const contestants = await startContestants(stack, `http://127.0.0.1:${upstream.port}`);
  for (const contestant of contestants) await measure(contestant, WARM_UP_SECONDS);

  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const rates = new Map<string, Rate>();
    for (const contestant of contestants) rates.set(contestant.name, await measure(contestant, SECONDS));
    rounds.push(rates);
  }
  report(rounds, contestants);
}

async function measure({ port, pid, path, headers }: Contestant, seconds: number): Promise<Rate> {
  const before = await cpuSeconds(pid);
  const result = await putLoad({ port, path, headers, connections: CONNECTIONS, seconds });
  const cpu = (await cpuSeconds(pid)) - before;
  return { perSecond: result.requests / result.seconds, cpuMicroseconds: (cpu / result.requests) * 1e6 };
}

function report(rounds: readonly Round[], contestants: readonly Contestant[]): void {
  const middle = (read: (round: Round) => number | undefined) => median(rounds.map((round) => read(round) ?? Number.NaN));
  const rateOf = (round: Round, name: string) => round.get(name)?.perSecond ?? Number.NaN;
  console.log(`${CONNECTIONS} connections, median of ${ROUNDS} rounds of ${SECONDS} s: requests/s, processor time of the proxy`);
  for (const { name } of contestants) {
    const perSecond = middle((round) => rateOf(round, name)).toFixed(0);
    const cpu = middle((round) => round.get(name)?.cpuMicroseconds).toFixed(0);
    console.log(`  ${name.padEnd(44)} ${perSecond.padStart(7)} ${cpu.padStart(7)} µs`);
  }
  for (const { name } of contestants.filter((one) => one.name === OURS || one.name === OURS_BARE)) {
    console.log(`  ${name}`);
    for (const [other, goal] of GOALS) {
      const ratio = middle((round) => rateOf(round, name) / rateOf(round, other)).toFixed(2);
      console.log(`    ÷ ${other}: ${ratio} (goal ${goal.toFixed(2)})`);
    }
  }
}
