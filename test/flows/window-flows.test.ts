import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { connectionsOf, finish, logOf, wordsOf } from '../support/authorization.ts';
import { createSession } from '../support/connect.ts';
import { openFlowStream } from '../support/flow-events.ts';
import { startIntegratedApp } from '../support/integrated-app.ts';
import { expectError } from '../support/std-error.ts';
import { INVALID_GRANT } from '../support/token-responses.ts';
import { useEach } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';
import { askLaunch, beginWindowFlow, newLaunchId, returnFromLaunch } from '../support/window-flow.ts';

describe('a flow of a window (OAU-15)', function () {
  const app = useEach(this, startIntegratedApp);

  const connections = async () => (await connectionsOf(app)).length;

  it('reports its states step by step, and connects once', async () => {
    const flow = await beginWindowFlow(app);
    expect([flow.response.status, flow.response.body.data.state]).to.deep.equal([201, 'created']);
    using stream = await openFlowStream(app, flow);
    expect((await stream.next())?.flow['state']).to.equal('created');
    const back = await returnFromLaunch(app, flow);
    expect((await flow.read()).state).to.equal('redirected');
    const page = await finish(back);
    expect(wordsOf(page)).to.match(/^Connected Your .* account is connected\. You can close this window\./);
    const events = await stream.rest();
    const versions = events.map(({ id }) => Number(id));
    expect(versions).to.deep.equal([...new Set(versions)].toSorted((one, other) => one - other));
    expect(events.at(-1)?.flow).to.deep.include({ state: 'succeeded', error: null });
    expect(await connections()).to.equal(1);
    expect((await finish(back)).text).to.equal(page.text);
    expect(await connections()).to.equal(1);
  });

  it('is launched once, as soon as it has begun', async () => {
    const launchId = newLaunchId();
    expect((await askLaunch(app, launchId)).body).to.deep.equal({ data: { state: 'waiting' } });
    await beginWindowFlow(app, { launchId });
    const asked = await Promise.all(Array.from({ length: 4 }, () => askLaunch(app, launchId)));
    expect(asked.map(({ body }) => body.data.state).toSorted()).to.deep.equal(['ended', 'ended', 'ended', 'ready']);
    const cookies = asked.map(({ headers }) => headers.getSetCookie().length > 0);
    expect(cookies.filter(Boolean)).to.have.lengthOf(1);
    const reused = await beginWindowFlow(app, { launchId });
    expectError(reused.response, 'conflict');
  });

  it('cannot be launched after two minutes, and has failed then', async () => {
    const flow = await beginWindowFlow(app);
    await app.clock.advance(121_000);
    expect((await askLaunch(app, flow.launchId)).body.data).to.deep.equal({ state: 'ended' });
    expect(await flow.read()).to.deep.include({ state: 'failed' });
  });

  it('may take longer at the provider than its session lasts, but not forever', async () => {
    const slow = await beginWindowFlow(app);
    const back = await returnFromLaunch(app, slow);
    await app.clock.advance(45 * 60_000);
    expect((await finish(back)).status).to.equal(200);
    expect((await slow.read()).state).to.equal('succeeded');
    const lost = await beginWindowFlow(app);
    const late = await returnFromLaunch(app, lost);
    await app.clock.advance(61 * 60_000);
    // The result page refers to the first window although nobody has asked the API for the flow yet, upon which its end is
    // recorded.
    expect(wordsOf(await finish(late))).to.match(/^This attempt is over .* Go back to the first window\./);
    expect(await lost.read()).to.deep.include({ state: 'failed' });
    expect((await lost.read()).error.code).to.equal('state_mismatch');
  });

  for (const [what, change] of [
    ['cancelled', (flow: Awaited<ReturnType<typeof beginWindowFlow>>) => flow.cancel()],
    ['superseded', ({ token }: { readonly token: string }) => beginWindowFlow(app, { token })],
  ] as const) {
    it(`creates no connection when its user comes back after it was ${what}, and the log says why`, async () => {
      const flow = await beginWindowFlow(app);
      const back = await returnFromLaunch(app, flow);
      await change(flow);
      const calls = app.provider.ledger.of('token').length;
      const page = await finish(back);
      expect([page.status, wordsOf(page).slice(0, 20)]).to.deep.equal([400, 'This attempt is over']);
      expect((await logOf(app, page)).body.data.messages[0].message).to.match(/cancelled or replaced/);
      expect(app.provider.ledger.of('token')).to.have.lengthOf(calls);
      expect((await flow.read()).state).to.equal(what);
      expect(await connections()).to.equal(0);
    });

    it(`can be ${what} during the exchange, where only a cancellation prevents the connection`, async () => {
      const flow = await beginWindowFlow(app);
      const back = await returnFromLaunch(app, flow);
      const barrier = app.provider.barrier('token');
      const finished = finish(back);
      await barrier.arrived();
      expect((await flow.read()).state).to.equal('exchanging');
      await change(flow);
      barrier.open();
      const page = await finished;
      // A new flow does not supersede one whose user has already come back from the provider.
      expect(page.status).to.equal(what === 'cancelled' ? 400 : 200);
      expect(await connections()).to.equal(what === 'cancelled' ? 0 : 1);
      if (what === 'cancelled') expect((await logOf(app, page)).body.data.status).to.equal(what);
    });
  }

  it('is in the log as cancelled when its user gives up', async () => {
    const flow = await beginWindowFlow(app);
    await flow.cancel();
    const { data } = (await app.api.get('/logs?limit=1')).body;
    expect(data[0]).to.deep.include({ type: 'auth', operation: 'creation', status: 'cancelled', error_code: null });
    expect(data[0].actor.kind).to.equal('session');
  });

  it('is launched only once for two tabs or a double click', async () => {
    const token = await createSession(app);
    const [one, two] = await Promise.all([beginWindowFlow(app, { token }), beginWindowFlow(app, { token })]);
    const launched = await Promise.all([one, two].map((flow) => askLaunch(app, flow.launchId)));
    expect(launched.map(({ body }) => body.data.state).toSorted()).to.deep.equal(['ended', 'ready']);
    expect([(await one.read()).state, (await two.read()).state].toSorted()).to.deep.equal(['redirected', 'superseded']);
  });

  it('creates nothing in another browser', async () => {
    const flow = await beginWindowFlow(app);
    const back = await returnFromLaunch(app, flow);
    const page = await finish(back, {}, new WebWalker());
    expect([page.status, await connections()]).to.deep.equal([400, 0]);
    expect((await flow.read()).state).to.equal('redirected');
    expect((await finish(back)).status).to.equal(200);
  });

  it('fails with a code, and a reference to the log', async () => {
    const refused = await beginWindowFlow(app);
    const page = await finish(await returnFromLaunch(app, refused), { error: 'access_denied', code: undefined });
    expect(wordsOf(page)).to.match(/didn’t allow access .* Go back to the first window\./);
    const { error } = await refused.read();
    expect(error).to.deep.include({ code: 'provider_denied', message: null, fields: [] });
    expect(page.text).to.include(error.log_id);
    const broken = await beginWindowFlow(app);
    app.provider.next('token', INVALID_GRANT);
    await finish(await returnFromLaunch(app, broken));
    expect((await broken.read()).error.code).to.equal('token_exchange_failed');
  });

  it('fails at its launch when its integration has no client', async () => {
    const config = {
      authorization_url: 'https://a.example/a',
      token_url: 'https://a.example/t',
      api_base_url: 'https://a.example',
    };
    await app.api.post('/integrations', { unique_key: 'bare', provider: 'generic-oauth', integration_config: config });
    const flow = await beginWindowFlow(app, { key: 'bare' });
    expect((await askLaunch(app, flow.launchId)).body.data).to.deep.equal({ state: 'ended' });
    expect((await flow.read()).error.code).to.equal('integration_unavailable');
  });

  it('returns to the page where it began if it has replaced that page', async () => {
    const flow = await beginWindowFlow(app, { mode: 'redirect' });
    const page = await finish(await returnFromLaunch(app, flow));
    expect([page.status, page.headers.get('location')]).to.deep.equal([303, `${app.url}/connect/l#`]);
    expect((await flow.read()).state).to.equal('succeeded');
    const refused = await beginWindowFlow(app, { mode: 'redirect' });
    const denied = await finish(await returnFromLaunch(app, refused), { error: 'access_denied', code: undefined });
    expect(denied.status).to.equal(303);
    const lost = await beginWindowFlow(app, { mode: 'redirect' });
    const late = await returnFromLaunch(app, lost);
    await app.clock.advance(61 * 60_000);
    expect((await finish(late)).status).to.equal(303);
    expect((await lost.read()).error.code).to.equal('state_mismatch');
  });

  it('is cancelled by a request that overtakes its beginning', async () => {
    const token = await createSession(app);
    const flowId = randomUUID();
    const cancelling = app.client(token).delete(`/connect/flows/${flowId}`);
    const flow = await beginWindowFlow(app, { token, id: flowId });
    expect((await cancelling).status).to.equal(204);
    expect((await flow.read()).state).to.equal('cancelled');
    expectError(await app.client(token).delete(`/connect/flows/${randomUUID()}`), 'not_found');
  });

  it('accepts no more fields than the limit', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`field${at}`, 'x']));
    const body = { id: randomUUID(), integration_id: 'fake', launch_id: newLaunchId(), params: many };
    expectError(await app.client(await createSession(app)).post('/connect/flows', body), 'invalid_body', ['params']);
  });

  it('needs a launch ID, and no credentials', async () => {
    const token = await createSession(app);
    const begin = (body: object) =>
      app.client(token).post('/connect/flows', { id: '6b0f6e3c-52a1-4f0e-9d65-1f3b8f0f2a44', integration_id: 'fake', ...body });
    expectError(await begin({}), 'invalid_body', ['launch_id']);
    expectError(await begin({ launch_id: newLaunchId(), credentials: {} }), 'invalid_body', ['credentials']);
    expectError(await begin({ launch_id: 'short' }), 'invalid_body', ['launch_id']);
  });
});
