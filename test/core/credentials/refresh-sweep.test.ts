import { expect } from 'chai';
import { storeRenewed } from '../../../core/credentials/lease-store.ts';
import { sweepRefreshes } from '../../../core/credentials/refresh-sweep.ts';
import type { Refreshing } from '../../../core/credentials/refreshing.ts';
import { useEach } from '../../support/use.ts';
import { Gateway } from './gateway.ts';

describe('the refresh sweep', function () {
  const gateway = useEach(this, () => Gateway.open());

  it('renews what ends soon and what nobody renewed for a day, and leaves the rest alone', async () => {
    const ending = await gateway.connect({ expiresInSeconds: 60 });
    const idle = await gateway.connect({ expiresInSeconds: undefined });
    await gateway.change(idle.id, { refreshed_at: gateway.fromNow(-25 * 3600) });
    const young = await gateway.connect({ expiresInSeconds: undefined });
    const lasting = await gateway.connect({ expiresInSeconds: 3000 });
    const lost = await gateway.connect();
    await gateway.change(lost.id, { state: 'needs_reauth' });
    const waiting = await gateway.connect();
    await gateway.change(waiting.id, { refresh_after: gateway.fromNow(60) });
    await gateway.change(ending.id, { refreshed_at: gateway.fromNow(-3540) });

    expect(await sweepRefreshes(gateway.instance())).to.deep.equal({ seen: 2, failed: 0 });
    const generations = await Promise.all(
      [ending, idle, young, lasting, lost, waiting].map(async ({ id }) => (await gateway.read(id)).generation),
    );
    expect(generations).to.deep.equal([2, 2, 1, 1, 1, 1]);
  });

  it('never makes more calls at one provider than it has slots for', async () => {
    await Promise.all(Array.from({ length: 30 }, () => gateway.connect()));
    const barrier = gateway.provider.barrier('token');
    const swept = sweepRefreshes(gateway.instance());
    await barrier.arrived(10);
    expect(gateway.tokenCalls).to.equal(10);
    barrier.open();
    expect(await swept).to.deep.equal({ seen: 30, failed: 0 });
    expect(gateway.tokenCalls).to.equal(30);
  });

  it('does not renew again what was renewed while it waited for its turn', async () => {
    const connections = await Promise.all(Array.from({ length: 21 }, () => gateway.connect({ expiresInSeconds: undefined })));
    await Promise.all(connections.map(({ id }) => gateway.change(id, { refreshed_at: gateway.fromNow(-25 * 3600) })));
    const barrier = gateway.provider.barrier('token');
    const deps = gateway.instance();
    const swept = sweepRefreshes(deps);
    await barrier.arrived(10);
    const last = connections.reduce((one, other) => (one.id > other.id ? one : other));
    await storeRenewed(deps, last, { credentials: last.credentials, found: {} });
    barrier.open();
    expect(await swept).to.deep.equal({ seen: 21, failed: 0 });
    expect(gateway.tokenCalls).to.equal(20);
    expect(await gateway.row(last.id)).to.include({ generation: 2 });
  });

  for (const [by, stop] of [
    ['its signal', (_: Refreshing, job: AbortController) => job.abort()],
    ['the end of the process', (refreshing: Refreshing) => refreshing.close()],
  ] as const) {
    it(`begins no call once it is stopped by ${by}, and stores what the calls under way bring`, async () => {
      await Promise.all(Array.from({ length: 30 }, () => gateway.connect()));
      const barrier = gateway.provider.barrier('token');
      const deps = gateway.instance();
      const job = new AbortController();
      const swept = sweepRefreshes(deps, { signal: job.signal });
      await barrier.arrived(10);
      stop(deps.refreshing, job);
      barrier.open();
      await swept;
      const begun = by === 'its signal' ? 20 : 10;
      expect(gateway.tokenCalls).to.equal(begun);
      expect(await gateway.database.db('connections').where({ generation: 2 }).pluck('id')).to.have.lengthOf(begun);
    });
  }

  it('goes on after a failure', async () => {
    await gateway.connect();
    await gateway.connect();
    gateway.provider.next('token', { response: { status: 500 } });
    expect(await sweepRefreshes(gateway.instance())).to.deep.equal({ seen: 2, failed: 1 });
  });
});
