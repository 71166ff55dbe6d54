import { expect } from 'chai';
import { connectionsOf, finish } from '../support/authorization.ts';
import { createIntegration } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { openFlowStream } from '../support/flow-events.ts';
import { Installation } from '../support/installation.ts';
import { use } from '../support/use.ts';
import { beginWindowFlow, returnFromLaunch } from '../support/window-flow.ts';

/**
 * More than the promised second until another instance learns of a flow's change, because other tests run beside this one, but
 * less than the three seconds that this takes without notices.
 */
const HEARD_WITHIN_MS = 2_500;
const FLOWS = 3;

describe('flows that involve several instances (OAU-15)', function () {
  this.timeout(60_000);
  const installation = use(this, Installation.open);
  const provider = use(this, startFakeProvider);
  const one = use(this, () => installation.startApp());

  before(() => createIntegration(one, provider));

  it('are reported to the window at once, whichever instance the user returns to', async () => {
    const two = await installation.startApp();
    const heardAfterMs: number[] = [];
    for (let count = 0; count < FLOWS; count += 1) {
      const flow = await beginWindowFlow(one);
      using stream = await openFlowStream(one, flow);
      const back = await returnFromLaunch(two, flow);
      expect((await finish(back)).status).to.equal(200);
      const since = performance.now();
      expect((await stream.rest()).at(-1)?.flow['state']).to.equal('succeeded');
      heardAfterMs.push(performance.now() - since);
    }
    expect(Math.max(...heardAfterMs)).to.be.below(HEARD_WITHIN_MS);
  });

  for (const point of ['callback-after-state', 'callback-after-exchange']) {
    it(`are reported to their window as failed when the process dies: ${point}`, async () => {
      const before = (await connectionsOf(one)).length;
      const doomed = await installation.startProcess({ FAULT_AT: `${point}:1` });
      const flow = await beginWindowFlow(one);
      using stream = await openFlowStream(one, flow);
      const back = await returnFromLaunch(doomed, flow);
      const page = await finish(back).catch(() => 'no response');
      expect(page).to.equal('no response');
      const last = (await stream.rest()).at(-1)?.flow;
      expect(last).to.deep.include({ state: 'failed' });
      const error = last?.['error'] as { readonly code: string; readonly log_id: string };
      expect(error.code).to.equal('server_error');
      expect((await one.api.get(`/logs/${error.log_id}`)).body.data.messages[0].message).to.match(
        /process that worked on the flow ended/,
      );
      expect(await connectionsOf(one)).to.have.lengthOf(before);
    });
  }

  it('are reported as succeeded when the process dies after the connection was written', async () => {
    const doomed = await installation.startProcess({ FAULT_AT: 'callback-after-commit:1' });
    const flow = await beginWindowFlow(one);
    using stream = await openFlowStream(one, flow);
    await finish(await returnFromLaunch(doomed, flow)).catch(() => 'no response');
    expect((await stream.rest()).at(-1)?.flow['state']).to.equal('succeeded');
  });

  it('do not keep an instance from shutting down, and can then be followed on another one', async () => {
    const ending = await installation.startProcess();
    const flow = await beginWindowFlow(one);
    using stream = await openFlowStream(ending, flow);
    const first = (await stream.next()) ?? expect.fail('nothing came');
    const since = performance.now();
    const [rest, { code }] = await Promise.all([stream.rest(), ending.process.stop()]);
    expect([rest, code]).to.deep.equal([[], 0]);
    // The limit is well below the 29 s that a process may take to end, because an open stream must not delay the end.
    expect(performance.now() - since).to.be.below(15_000);
    using resumed = await openFlowStream(one, { ...flow, lastEventId: first.id });
    expect((await flow.cancel()).status).to.equal(204);
    expect((await resumed.rest()).map(({ flow: { state } }) => state)).to.deep.equal(['cancelled']);
  });
});
