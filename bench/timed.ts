import type { Knex } from 'knex';
import { plansOf, tablesRead } from '../test/support/plans.ts';
import { quantile } from './quantile.ts';

const PERCENTILES = [0.5, 0.95] as const;

export interface Timed {
  readonly name: string;
  readonly milliseconds: readonly number[];
  /** What is printed beside the times, such as what `howFound` returns. */
  readonly remark: string;
}

export async function timed(rounds: number, work: (round: number) => Promise<unknown>): Promise<readonly number[]> {
  const milliseconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await work(round);
    milliseconds.push(performance.now() - started);
  }
  return milliseconds;
}

/** Describes whether the statements of `work` find their rows by indexes, or else which tables they read sequentially. */
export async function howFound(db: Knex, work: () => Promise<unknown>): Promise<string> {
  const scanned = await tablesRead(db, await plansOf(db, work));
  return scanned.length === 0 ? 'by an index' : `READS ${scanned.join(', ')}`;
}

export function printTimes(times: readonly Timed[]): void {
  const width = Math.max(...times.map(({ name }) => name.length)) + 2;
  console.log(`  ${''.padEnd(width)}${PERCENTILES.map((share) => `p${share * 100}`.padStart(8)).join('')}  ms`);
  for (const { name, milliseconds, remark } of times) {
    const values = PERCENTILES.map((share) => quantile(milliseconds, share).toFixed(1).padStart(8)).join('');
    console.log(`  ${name.padEnd(width)}${values}  ${remark}`);
  }
}
