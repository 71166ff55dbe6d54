import { expect } from 'chai';
import { sweepRefreshes } from '../../../core/credentials/refresh-sweep.ts';
import { Gateway } from './gateway.ts';

describe('the refresh sweep', () => {
  let gateway: Gateway;

  beforeEach(async () => {
    gateway = await Gateway.open();
  });
  afterEach(() => gateway[Symbol.asyncDispose]());

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

  it('goes on after a failure', async () => {
    await gateway.connect();
    await gateway.connect();
    gateway.provider.next('token', { answer: { status: 500 } });
    expect(await sweepRefreshes(gateway.instance())).to.deep.equal({ seen: 2, failed: 1 });
  });
});
