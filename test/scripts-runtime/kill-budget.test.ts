import { expect } from 'chai';
import { KillBudget } from '../../scripts-runtime/kill-budget.ts';
import { isWhole, openScripts, until } from '../support/script-host.ts';

const LONG = { timeoutMs: 15_000 };
const ONE = 'export default () => 1;';
const TOO_LARGE = 'export default () => "x".repeat(2e6);';
const START_MS = 10_000;

describe('SBX-05: an environment whose scripts are killed again and again', () => {
  it('waits from the third kill on, a second for each', () => {
    let now = 1_000;
    const kills = new KillBudget(() => now);
    const waits = Array.from({ length: 5 }, () => {
      kills.spend('a');
      return kills.waitMs('a');
    });
    expect(waits).to.deep.equal([0, 0, 1_000, 2_000, 3_000]);
    now += 2_999;
    expect(kills.waitMs('a')).to.be.closeTo(1, 1e-6);
    now += 1;
    expect(kills.waitMs('a')).to.equal(0);
    kills.spend('a');
    expect(kills.waitMs('a')).to.equal(1_000);
    expect(kills.waitMs('b')).to.equal(0);
    now += 60_000;
    kills.spend('a');
    expect(kills.waitMs('a')).to.equal(0);
  });

  it('waits before its next run', async () => {
    await using scripts = openScripts({ workers: 2 });
    scripts.host.start();
    await until(() => isWhole(scripts.host), START_MS);
    const startedAt = performance.now();
    const killed = Array.from({ length: 3 }, () => scripts.run(TOO_LARGE, { limits: LONG }));
    for (const outcome of await Promise.all(killed)) expect(outcome).to.include({ cause: 'result_too_large' });
    const elapsedMs = performance.now() - startedAt;
    const { result, waitedMs } = await scripts.run(ONE, { limits: LONG });
    expect(result).to.equal(1);
    // The budget makes the run wait until a second after the first kill, so the time that had passed since then is subtracted.
    expect(waitedMs).to.be.at.least(1_000 - elapsedMs - 1);
  });
});
