import { expect } from 'chai';
import type { ScriptOutcome } from '../../scripts-runtime/script-run.ts';
import { isWhole, openScripts, TIMEOUT_MS, until } from '../support/script-host.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';
import { ENDLESS } from './hostile/endless.ts';
import { GREEDY } from './hostile/greedy.ts';
import { ODD } from './hostile/odd.ts';

/** The time within which a killed process must have ended. */
const DYING_MS = 5_000;
/** The time within which the pool must be complete again: five times the goal of a second, because CI shares its two cores. */
const WHOLE_MS = 5_000;
const MEMORY_MB = size(32, 64);
const CALLS = 1_000;
const WORKERS = 4;
/** The time limit of scripts that end long before it unless the machine is busy. */
const LONG_MS = 60_000;
/** The memory that a process can use beyond its limit before the parent checks it again. */
const OVERSHOOT_MB = size(300, 150);

describe('SBX-01, SBX-05: hostile scripts', function () {
  this.timeout(300_000);
  const scripts = use(this, () => openScripts({ workers: WORKERS }));
  let outcomes: ReadonlyMap<string, Promise<ScriptOutcome>>;
  before(() => {
    let environments = 0;
    // Each script has its own environment, so that none has to wait because another was killed.
    const run = (body: string, timeoutMs: number) =>
      scripts.run(moduleOf(body), {
        environmentKey: `environment-${environments++}`,
        hostFunctions: {
          getConnection: () => new Promise<never>(() => {}),
          getMetadata: async () => ({ a: 1 }),
          setMetadata: async () => null,
        },
        limits: { timeoutMs, memoryMb: MEMORY_MB, calls: CALLS },
      });
    const starts = [
      ...Object.entries(ENDLESS).map(([name, body]) => [name, () => run(body, TIMEOUT_MS)] as const),
      ...Object.entries(GREEDY).map(([name, body]) => [name, () => run(body, LONG_MS)] as const),
      ...Object.entries(ODD).map(([name, [, body]]) => [name, () => run(body, LONG_MS)] as const),
    ];
    outcomes = new Map(starts.map(([name, start]) => [name, start()]));
  });

  async function outcomeOf(name: string): Promise<ScriptOutcome> {
    const outcome = await outcomes.get(name);
    if (outcome === undefined) throw new Error(`nothing is called ${name}`);
    return outcome;
  }

  it('are many', () => {
    expect(outcomes.size).to.be.above(100);
  });

  for (const name of Object.keys(ENDLESS)) {
    it(`are killed at their time limit: ${name}`, async () => {
      const outcome = await outcomeOf(name);
      expect([outcome.status, outcome.cause], JSON.stringify(outcome.error)).to.deep.equal(['killed', 'timeout']);
      expect(outcome.durationMs).to.be.within(TIMEOUT_MS - 5, TIMEOUT_MS + DYING_MS);
    });
  }

  for (const name of Object.keys(GREEDY)) {
    it(`are killed at their memory limit: ${name}`, async () => {
      const outcome = await outcomeOf(name);
      expect([outcome.status, outcome.cause], JSON.stringify(outcome)).to.deep.equal(['killed', 'memory']);
      expect(outcome.memoryMb).to.be.below(MEMORY_MB + OVERSHOOT_MB);
    });
  }

  for (const [name, [cause]] of Object.entries(ODD)) {
    it(`end with the right cause: ${name}`, async () => {
      const outcome = await outcomeOf(name);
      expect(outcome.cause ?? outcome.status, JSON.stringify(outcome).slice(0, 500)).to.equal(cause);
      expect(outcome.durationMs).to.be.below(LONG_MS);
      expect(JSON.stringify(outcome)).to.have.length.below(10_000);
    });
  }

  it('leave a pool that is complete again soon after each', async () => {
    await until(() => isWhole(scripts.host, WORKERS), WHOLE_MS);
    for (const body of ['for (;;);', 'await new Promise(() => {});', 'return Array(1e9).fill(0);', 'return "x".repeat(2e6);']) {
      const outcome = await scripts.run(moduleOf(body), { limits: { memoryMb: MEMORY_MB } });
      expect(outcome.status).to.equal('killed');
      expect(isWhole(scripts.host, WORKERS)).to.equal(false);
      await until(() => isWhole(scripts.host, WORKERS), WHOLE_MS);
    }
  });
});

function moduleOf(body: string): string {
  return body.startsWith('module:') ? body.slice('module:'.length) : `export default async (svc) => {\n${body}\n}`;
}
