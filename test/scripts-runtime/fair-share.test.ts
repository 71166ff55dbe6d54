import { expect } from 'chai';
import { quantile } from '../../bench/quantile.ts';
import { FairQueue } from '../../scripts-runtime/fair-queue.ts';
import { isWhole, openScripts, until } from '../support/script-host.ts';

const QUEUED = 10_000;
const OTHERS = ['b', 'c', 'd'];
const RUNS_OF_OTHERS = 2;
/**
 * Five times the longest promised wait of a run beside an environment that floods the queue, because other tests run at the same
 * time.
 */
const WAIT_MS = 25_000;
const START_MS = 10_000;
const LIMITS = { timeoutMs: 30_000 };
const SLOW = 'export default () => new Promise((wake) => setTimeout(wake, 1_000));';

describe('SBX-07: shares of the pool', () => {
  for (const workers of [1, 2]) {
    it(`with ${workers} workers others start soon while one environment has ${QUEUED} slow scripts waiting`, async () => {
      const { host, run } = openScripts({ workers });
      host.start();
      await until(() => isWhole(host, workers), START_MS);
      const flood = Array.from({ length: QUEUED + workers }, () => run(SLOW, { limits: LIMITS }));
      expect(await run(SLOW, { limits: LIMITS })).to.deep.include({ status: 'failed', cause: 'queue_full' });
      const waits = await Promise.all(
        OTHERS.map(async (environmentKey) => {
          const own: number[] = [];
          for (let at = 0; at < RUNS_OF_OTHERS; at += 1) {
            const outcome = await run('export default () => 1;', { environmentKey, limits: LIMITS });
            expect(outcome.status).to.equal('done');
            own.push(outcome.waitedMs);
          }
          return own;
        }),
      );
      expect(host.status().waiting, 'the flood still waits').to.be.above(QUEUED / 2);
      expect(quantile(waits.flat(), 0.95)).to.be.below(WAIT_MS);
      await host.close();
      const causes = new Set((await Promise.all(flood)).map(({ cause }) => cause ?? 'done'));
      expect([...causes]).to.include('closed');
    });
  }

  it('an environment that took every worker first does not keep others waiting', async () => {
    await using scripts = openScripts({ workers: 2 });
    scripts.host.start();
    await until(() => isWhole(scripts.host), START_MS);
    const endless = [1, 2, 3].map(() => scripts.run('for (;;);', { limits: { timeoutMs: 30_000 } }));
    await until(() => scripts.host.status().running === 2, START_MS);
    const other = await scripts.run('export default () => 1;', { environmentKey: 'b', limits: LIMITS });
    expect(other.result).to.equal(1);
    expect(scripts.host.status()).to.deep.include({ running: 2, waiting: 1 });
    await scripts.host.close();
    await Promise.all(endless);
  });

  it('the queued scripts of an environment are also limited in size, at no cost to other environments', async () => {
    await using scripts = openScripts({ workers: 1 });
    const large = `for (;;); //${'x'.repeat(256 * 1024)}`;
    const many = Array.from({ length: 300 }, () =>
      scripts.run(large, { environmentKey: 'large', limits: { timeoutMs: 60_000 } }),
    );
    const other = scripts.run('export default () => 1;', { environmentKey: 'small', limits: { timeoutMs: 60_000 } });
    expect(scripts.host.status().waiting).to.be.within(200, 257);
    await scripts.host.close();
    const causes = (await Promise.all(many)).map(({ cause }) => cause);
    expect(new Set(causes)).to.include('queue_full');
    expect((await other).cause).to.equal('closed');
    await using again = openScripts({ workers: 1 });
    for (let at = 0; at < 3; at += 1)
      expect(
        (await again.run(`export default () => 1; //${'x'.repeat(30e6)}`, { limits: { timeoutMs: 10_000 } })).cause,
      ).not.to.equal('queue_full');
  });

  it('the queue lets keys take turns', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.charAt(0), item);
    expect(queue.remove('c', 'c1')).to.equal(true);
    expect(queue.remove('c', 'c1')).to.equal(false);
    const order = Array.from({ length: 5 }, () => queue.next((key) => key !== 'b') ?? queue.next(() => true));
    expect(order).to.deep.equal(['a1', 'c2', 'a2', 'a3', 'b1']);
    expect([queue.size, queue.next(() => true)]).to.deep.equal([0, undefined]);
  });
});
