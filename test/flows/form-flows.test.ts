import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { beginFlow } from '../../core/connect/flows/window-flow.ts';
import { connectionsOf } from '../support/authorization.ts';
import { canary } from '../support/canaries.ts';
import { createSession } from '../support/connect.ts';
import { DIRECT_METHODS, type DirectMethod, startDirectApp } from '../support/direct.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { openFlowStream } from '../support/flow-events.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const LOGIN = DIRECT_METHODS['user name and password'];

describe('a flow with entered credentials', function () {
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startDirectApp(provider));
  let known: number;

  beforeEach(async () => {
    known = (await connectionsOf(app)).length;
  });

  /** Counts the connections that this test has created. */
  const made = async () => (await connectionsOf(app)).length - known;

  const begin = (token: string, body: object) => app.client(token).post('/connect/flows', body);
  const read = (token: string, id: string) => app.client(token).get(`/connect/flows/${id}`);

  function keyed(changes: object = {}) {
    const credentials = { apiKey: canary('API key of a flow') };
    return { id: randomUUID(), integration_id: 'keyed', credentials, ...changes };
  }

  for (const [what, method] of Object.entries<DirectMethod>(DIRECT_METHODS)) {
    it(`connects with ${what}`, async () => {
      const token = await createSession(app);
      const id = randomUUID();
      const { type: _, ...credentials } = method.body() ?? {};
      const entered = { ...(method.body() !== undefined && { credentials }), params: method.config };
      const response = await begin(token, { id, integration_id: method.key, ...entered });
      expect([response.status, response.body.data?.error], response.text).to.deep.equal([201, null]);
      expect(response.body.data).to.deep.include({ id, integration_id: method.key, state: 'succeeded', options: [] });
      expect(response.body.data).not.to.have.property('connection_id');
      expect(await made()).to.equal(1);
    });
  }

  it('shows everything that is wrong with the entered values, by field, and calls no provider', async () => {
    const token = await createSession(app);
    const calls = provider.ledger.of('api').length;
    const { body, status } = await begin(token, keyed({ credentials: {} }));
    expect(status).to.equal(201);
    expect(body.data.state).to.equal('failed');
    expect(body.data.error).to.deep.include({ code: 'field_invalid', message: null, log_id: null });
    expect(
      body.data.error.fields.map(({ path, code }: { path: string[]; code: string }) => [path.join('.'), code]),
    ).to.deep.equal([['credentials.apiKey', 'required']]);
    const signed = await begin(token, { id: randomUUID(), integration_id: 'signed', credentials: { token_id: 'a' } });
    const paths = signed.body.data.error.fields.map(({ path }: { path: string[] }) => path.join('.'));
    expect(paths).to.deep.equal(['params.accountId', 'credentials.token_secret']);
    const stepped = await begin(token, { id: randomUUID(), integration_id: 'stepped', credentials: {} });
    expect(stepped.body.data.error.fields).to.deep.include({
      path: ['credentials', 'username'],
      code: 'required',
      message: 'User name is required',
    });
    expect(provider.ledger.of('api')).to.have.lengthOf(calls);
  });

  it('says that a value fixed by the backend does not work, but not which one', async () => {
    const preset = { signed: { connection_config: { accountId: '' } } };
    const token = await createSession(app, { integrations_config_defaults: preset });
    const { body } = await begin(token, {
      id: randomUUID(),
      integration_id: 'signed',
      credentials: { token_id: 'a', token_secret: 'b' },
    });
    expect(body.data.error).to.deep.include({ code: 'preset_invalid', fields: [] });
  });

  it('fails when the provider refuses the credentials, and the session can begin another flow', async () => {
    const token = await createSession(app);
    provider.next('api', { response: { status: 401 } });
    const refused = await begin(token, keyed());
    expect(refused.body.data.error).to.deep.include({ code: 'credentials_rejected', fields: [] });
    expect((await app.api.get(`/logs/${refused.body.data.error.log_id}`)).status).to.equal(200);
    expect((await begin(token, keyed())).body.data.state).to.equal('succeeded');
  });

  it('is returned again for the same request, even after the session has ended with it', async () => {
    const token = await createSession(app);
    const request = keyed();
    const [first, second] = [await begin(token, request), await begin(token, request)];
    expect([second.status, second.body]).to.deep.equal([201, first.body]);
    expectError(await begin(token, { ...request, credentials: { apiKey: 'another' } }), 'conflict');
    expect(await made()).to.equal(1);
    expectError(await begin(token, keyed()), 'unknown_connect_session_token');
  });

  /** Begins a flow whose session ends with another flow, between the checks of this one and its own transaction. */
  async function overtaken(request: ReturnType<typeof keyed>, other: ReturnType<typeof keyed>) {
    const { services } = app;
    const token = await createSession(app);
    const session = (await services.authenticator.sessionToken(token))?.session ?? expect.fail('there is no session');
    const afterOther = async (...args: Parameters<typeof db.transaction>) => {
      expect((await begin(token, other)).body.data.state).to.equal('succeeded');
      return services.db.transaction(...args);
    };
    const db: typeof services.db = new Proxy(services.db, {
      get: (target, name) => (name === 'transaction' ? afterOther : Reflect.get(target, name)),
    });
    const { id: flowId, integration_id: uniqueKey, credentials } = request;
    const flow = { flowId, uniqueKey, credentials, mode: 'popup', params: {}, requireLive() {} } as const;
    return beginFlow({ ...services, db }, session, flow);
  }

  it('is returned again for the same request, even when the session ends with it between the checks of the other', async () => {
    const request = keyed();
    expect((await overtaken(request, request)).state).to.equal('succeeded');
    expect(await made()).to.equal(1);
  });

  it('is refused when the session ends with another one meanwhile, and the user is told that it was used', async () => {
    const refusal = await overtaken(keyed(), keyed()).catch((error: unknown) => error);
    expect(refusal).to.include({ code: 'unknown_connect_session_token' });
    expect(refusal).to.have.deep.property('details', [
      { code: 'session_used', message: 'this connect session was used', path: [] },
    ]);
    expect(await made()).to.equal(1);
  });

  it('can be read by its session after that was used, which can read nothing else', async () => {
    const token = await createSession(app);
    const request = keyed();
    await begin(token, request);
    expect((await read(token, request.id)).body.data.state).to.equal('succeeded');
    const { body, status } = await app.client(token).get('/connect/session');
    expect([status, body.error.errors]).to.deep.equal([
      401,
      [{ code: 'session_used', message: 'this connect session was used', path: [] }],
    ]);
    const other = await createSession(app);
    expectError(await read(other, request.id), 'not_found');
  });

  it('leaves a session that is deleted instead expired, not used', async () => {
    const token = await createSession(app);
    await app.client(token).delete('/connect/session');
    expect((await begin(token, keyed())).body.error.errors[0].code).to.equal('session_expired');
  });

  it('can be read after its session has expired, which can begin no other flow', async () => {
    const token = await createSession(app);
    provider.next('api', { response: { status: 401 } });
    const request = keyed();
    await begin(token, request);
    await app.clock.advance(31 * 60_000);
    expect((await read(token, request.id)).body.data.state).to.equal('failed');
    expect((await begin(token, keyed())).body.error.errors[0].code).to.equal('session_expired');
  });

  it('creates no connection once it was cancelled', async () => {
    const token = await createSession(app);
    const request = keyed();
    const barrier = provider.barrier('api');
    const begun = begin(token, request);
    await barrier.arrived();
    expect((await read(token, request.id)).body.data.state).to.equal('verifying');
    expect((await app.client(token).delete(`/connect/flows/${request.id}`)).status).to.equal(204);
    barrier.open();
    expect((await begun).body.data).to.deep.include({ state: 'cancelled' });
    expect(await made()).to.equal(0);
    expect((await begin(token, keyed())).body.data.state).to.equal('succeeded');
    expect(await made()).to.equal(1);
  });

  it('creates one connection, however often it is sent at once', async () => {
    const token = await createSession(app);
    const request = { id: randomUUID(), integration_id: LOGIN.key, credentials: LOGIN.body() };
    const same = await Promise.all(Array.from({ length: 5 }, () => begin(token, request)));
    expect(same.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201, 201]);
    const others = await Promise.all(Array.from({ length: 5 }, () => begin(token, keyed())));
    for (const { status } of others) expect(status).to.be.oneOf([201, 401]);
    expect(await made()).to.equal(1);
  });

  it('shows the ID of the connection to existing clients, and to no others', async () => {
    await using theirs = await startDirectApp(provider, { SVC_CLIENT_PREFIX: 'Acme' });
    const api = theirs.client(await createSession(theirs));
    const { body } = await api.post('/connect/flows', keyed());
    const [connection] = await connectionsOf(theirs);
    expect(body.data.connection_id).to.equal(connection?.connection_id);
  });

  it('can be followed until it ends, and from the last received event on', async () => {
    const token = await createSession(app);
    const request = keyed();
    const barrier = provider.barrier('api');
    const begun = begin(token, request);
    await barrier.arrived();
    using stream = await openFlowStream(app, { token, id: request.id });
    expect(stream.response.headers.get('content-type')).to.equal('text/event-stream');
    expect(stream.response.headers.get('access-control-allow-origin')).to.equal('*');
    const first = (await stream.next()) ?? expect.fail('nothing came');
    expect(first.flow['state']).to.equal('verifying');
    using resumed = await openFlowStream(app, { token, id: request.id, lastEventId: first.id });
    barrier.open();
    const { data } = (await begun).body;
    for (const one of [stream, resumed]) {
      const rest = await one.rest();
      expect(rest.at(-1)).to.deep.equal({ id: String(data.version), flow: data });
      expect(rest.map(({ id }) => id)).not.to.include(first.id);
    }
    using late = await openFlowStream(app, { token, id: request.id, lastEventId: String(data.version) });
    expect(await late.rest()).to.deep.equal([]);
  });

  it('limits its followers, not counting those that have left', async () => {
    const token = await createSession(app);
    const request = keyed();
    const barrier = provider.barrier('api');
    const begun = begin(token, request);
    await barrier.arrived();
    const open = () => openFlowStream(app, { token, id: request.id });
    const streams = [];
    for (let count = 0; count < 6; count += 1) streams.push(await open());
    expect((await open()).response.status).to.equal(429);
    for (const stream of streams) stream[Symbol.dispose]();
    let status = 429;
    while (status === 429) {
      using again = await open();
      status = again.response.status;
    }
    barrier.open();
    await begun;
  });
});
