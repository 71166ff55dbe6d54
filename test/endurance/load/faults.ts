import { setTimeout as wait } from 'node:timers/promises';
import { findRunning } from '../../../core/db/embedded-postgres/embedded-postgres.ts';
import type { Behaviour } from '../../support/scripted-server/behaviour.ts';
import { until } from '../../support/until.ts';
import type { World } from './world.ts';

const UNAVAILABLE: Behaviour = { response: { status: 503, body: 'no' } };
const LOST: readonly Behaviour[] = [{ delivery: 'reset' }, { delivery: 'reset_inside' }, { delivery: 'truncate' }, UNAVAILABLE];
const SLOW_RECEIVER: Behaviour = { delayMs: 10_000 };
const SLOW_RECEPTIONS = 10;
const BACK_MS = 60_000;

/** A script that ends in one of four ways: it throws, takes all memory, never ends, or succeeds. */
export const CRASHING_SCRIPT = `export default async (svc) => {
  const chance = Math.random();
  if (chance < 0.25) throw new Error('as planned');
  if (chance < 0.5) for (const kept = []; ; ) kept.push(new Array(100_000).fill(chance));
  if (chance < 0.75) for (;;);
  await svc.getMetadata();
};`;

/** Faults around a service with an embedded database, which are injected one after the other. Counts how often each happened. */
export class Faults {
  readonly counts = { 'lost answers': 0, 'lost token answers': 0, 'slow receptions': 0, 'database restarts': 0 };
  readonly #world: World;
  readonly #dataDir: string;

  constructor(world: World, dataDir: string) {
    this.#world = world;
    this.#dataDir = dataDir;
  }

  /** Injects faults of each kind in turn until the signal aborts. */
  async inject(everyMs: number, signal: AbortSignal): Promise<void> {
    const faults = [
      () => this.#loseAnswers(),
      () => this.#loseTokenAnswers(),
      () => this.#slowDown(),
      () => this.#restartDatabase(),
    ];
    for (let next = 0; !signal.aborted; next += 1) {
      await wait(everyMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await faults[next % faults.length]?.();
    }
  }

  #loseAnswers(): void {
    this.#world.provider.next('api', ...LOST);
    this.counts['lost answers'] += LOST.length;
  }

  #loseTokenAnswers(): void {
    this.#world.provider.next('token', ...LOST);
    this.counts['lost token answers'] += LOST.length;
  }

  #slowDown(): void {
    this.#world.application.next('webhook', ...Array.from({ length: SLOW_RECEPTIONS }, () => SLOW_RECEIVER), UNAVAILABLE);
    this.counts['slow receptions'] += SLOW_RECEPTIONS;
  }

  /** Shuts the database server down without notice (SIGQUIT); the service starts another one. */
  async #restartDatabase(): Promise<void> {
    const running = () => findRunning({ dataDir: this.#dataDir, explicitDataDir: true });
    const victim = (await running())?.pid;
    if (victim === undefined) throw new Error('no database server runs');
    process.kill(victim, 'SIGQUIT');
    await until('another server is there', async () => ![victim, undefined].includes((await running())?.pid), BACK_MS);
    this.counts['database restarts'] += 1;
  }
}
