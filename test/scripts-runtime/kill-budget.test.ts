import { expect } from 'chai';
import { KillBudget } from '../../scripts-runtime/kill-budget.ts';
import { openScripts } from '../support/script-host.ts';

const LONG = { timeoutMs: 15_000 };
const ONE = 'export default () => 1;';
const GREEDY = 'export default () => Array(1e9).fill(0).length;';

describe('SBX-05: an environment whose scripts are killed again and again', () => {
  it('waits from the third kill on, half a second for each', () => {
    let now = 1_000;
    const kills = new KillBudget(() => now);
    const waits = Array.from({ length: 5 }, () => {
      kills.spend('a');
      return kills.waitMs('a');
    });
    expect(waits).to.deep.equal([0, 0, 500, 1_000, 1_500]);
    now += 1_499;
    expect(kills.waitMs('a')).to.be.closeTo(1, 1e-6);
    now += 1;
    expect(kills.waitMs('a')).to.equal(0);
    kills.spend('a');
    expect(kills.waitMs('a')).to.equal(500);
    expect(kills.waitMs('b')).to.equal(0);
    now += 60_000;
    kills.spend('a');
    expect(kills.waitMs('a')).to.equal(0);
  });

  it('waits for its next run, and nobody else does', async () => {
    await using scripts = openScripts({ workers: 2 });
    const killed = Array.from({ length: 3 }, () => scripts.run(GREEDY, { limits: LONG, environmentKey: 'greedy' }));
    for (const outcome of await Promise.all(killed)) expect(outcome).to.deep.include({ status: 'killed', cause: 'memory' });
    const own = scripts.run(ONE, { limits: LONG, environmentKey: 'greedy' });
    const others = await scripts.run(ONE, { limits: LONG, environmentKey: 'other' });
    expect(others.result).to.equal(1);
    const { result, waitedMs } = await own;
    expect(result).to.equal(1);
    expect(waitedMs).to.be.above(others.waitedMs);
  });
});
