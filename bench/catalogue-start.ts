import { fork } from 'node:child_process';
import { once } from 'node:events';
import { generateProviders } from '../test/support/generated-providers.ts';

const COUNT = 1_000;
const ROUNDS = 5;
const GOAL_MS = 150;

/**
 * Measures how much time a thousand more provider folders add to a start. Each measurement is the first work of a new process, as
 * at a real start.
 */
export async function run(): Promise<void> {
  await using folders = await generateProviders(COUNT);
  const rounds: { readonly few: Cost; readonly many: Cost; readonly parsed: Cost }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      few: await measure('catalogue'),
      many: await measure('catalogue', folders.path),
      parsed: await measure('parse', folders.path),
    });
  }
  for (const kind of ['wall', 'cpu'] as const) {
    const added = best(rounds.map(({ few, many }) => many[kind] - few[kind]));
    const parsed = best(rounds.map((round) => round.parsed[kind]));
    const ratio = (added / parsed).toFixed(1);
    console.log(
      `  ${kind}: +${added.toFixed(0)} ms for ${COUNT} folders (goal: at most ${GOAL_MS} ms), ${ratio} times as long as ` +
        `reading and JSON.parse alone (${parsed.toFixed(0)} ms)`,
    );
  }
}

interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

async function measure(what: 'catalogue' | 'parse', ...dirs: readonly string[]): Promise<Cost> {
  const program = fork(new URL('./programs/read-providers.ts', import.meta.url), [what, ...dirs]);
  const [cost] = (await once(program, 'message')) as [Cost];
  if (program.exitCode === null) await once(program, 'exit');
  return cost;
}

/** Returns the lowest of several measurements, the one least disturbed by other work on a shared machine. */
function best(values: readonly number[]): number {
  return Math.min(...values);
}
