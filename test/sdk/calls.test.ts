import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { InvalidCredentialsError, Svc } from '../../sdk/node/src/svc.ts';
import { error, FakeService, failure, json, svcError } from '../support/fake-service.ts';
import { freePort } from '../support/free-port.ts';
import { useEach } from '../support/use.ts';

const ADDRESS = { connection_id: 'c', provider_config_key: 'k' };

describe('a call of the Node client', function () {
  const fake = useEach(this, () => new FakeService().open());

  it('carries the key and every kind of parameter in its place', async () => {
    fake.respondWith(json(200, {}));
    await fake.svc.connections.get({ connection_id: 'a/b c?', provider_config_key: 'x y', force_refresh: true });
    await fake.svc.connections.list({ tags: { end_user_id: 'a&b' }, limit: 5 });
    await fake.svc.integrations.get('k', { include: ['webhook', 'credentials'] });
    expect(fake.received.map(({ url }) => url)).to.deep.equal([
      '/connections/a%2Fb%20c%3F?provider_config_key=x+y&force_refresh=true',
      '/connections?tags%5Bend_user_id%5D=a%26b&limit=5',
      '/integrations/k?include=webhook&include=credentials',
    ]);
    expect(fake.received[0]?.headers).to.include({ authorization: 'Bearer key' });
    expect(fake.received[0]?.headers).not.to.have.property('content-type');
  });

  it('sends its body as JSON', async () => {
    fake.respondWith(json(201, { data: { token: 't' } }));
    const { data } = await fake.svc.connectSessions.create({ tags: { a: 'ü' } });
    expect(data.token).to.equal('t');
    expect(fake.received[0]?.headers['content-type']).to.equal('application/json');
    expect(fake.received[0]?.body).to.equal('{"tags":{"a":"ü"}}');
  });

  it('imports without notifying the application on request', async () => {
    fake.respondWith(json(200, {}));
    const connection = { provider_config_key: 'k', credentials: { type: 'NONE' } } as const;
    await fake.svc.connections.import(connection);
    await fake.svc.connections.import(connection, { notify: false, idempotencyKey: 'once' });
    expect(fake.received.map(({ url }) => url)).to.deep.equal(['/connections', '/connections?notify=false']);
    expect(fake.received[1]?.headers['idempotency-key']).to.equal('once');
  });

  it('says whether a forced refresh worked', async () => {
    fake.respondWith(json(200, { id: 1 }), json(200, { id: 1 }, { 'svc-refresh': 'failed; code=provider_unavailable' }));
    expect(await fake.svc.connections.refresh(ADDRESS)).to.deep.equal({ connection: { id: 1 } });
    const { failure } = await fake.svc.connections.refresh({ ...ADDRESS, refresh_token: true });
    expect(failure).to.equal('provider_unavailable');
    expect(fake.received.map(({ url }) => url)).to.deep.equal([
      '/connections/c?provider_config_key=k&force_refresh=true',
      '/connections/c?provider_config_key=k&refresh_token=true&force_refresh=true',
    ]);
  });

  for (const [baseUrl, apiKey, message] of [
    ['', 'key', 'baseUrl must be the address of the service, such as https://svc.example.com; it is ""'],
    [
      'svc.example.com',
      'key',
      'baseUrl must be the address of the service, such as https://svc.example.com; it is "svc.example.com"',
    ],
    ['https://svc.example.com', '', 'apiKey must be an API key of the service (svc_sk_…) or an account key (svc_ak_…); it is ""'],
  ] as const) {
    it(`is not sent without what it needs: ${message}`, () => {
      expect(() => new Svc({ baseUrl, apiKey })).to.throw(TypeError, message);
    });
  }

  it('says which option is undefined, as from a missing environment variable', () => {
    const { SVC_URL, SVC_KEY }: Record<string, string> = {};
    expect(() => Reflect.construct(Svc, [{ baseUrl: SVC_URL, apiKey: 'key' }])).to.throw(TypeError, 'it is undefined');
    expect(() => Reflect.construct(Svc, [{ baseUrl: 'http://a', apiKey: SVC_KEY }])).to.throw(TypeError, 'apiKey must be');
  });

  it('refuses values that cannot be part of a URL path', async () => {
    for (const id of ['.', '..', '']) {
      expect(await failure(fake.svc.logs.get(id))).to.be.instanceOf(TypeError);
    }
    expect(fake.received).to.deep.equal([]);
  });

  it('throws an error with all details of the response', async () => {
    fake.respondWith(error(404, 'unknown_connection', { 'svc-request-id': 'r1' }));
    const reason = await svcError(fake.svc.connections.get(ADDRESS));
    expect(reason).to.include({ status: 404, code: 'unknown_connection', message: 'why', requestId: 'r1' });
    expect(reason.errors).to.deep.equal([{ code: 'custom', message: 'what', path: ['a'] }]);
    expect(reason.retryAfterSeconds).to.equal(undefined);
    expect(reason).not.to.be.instanceOf(InvalidCredentialsError);
  });

  it('throws a specific error for credentials that only the user can renew', async () => {
    fake.respondWith(error(424, 'invalid_credentials'));
    expect(await failure(fake.svc.connections.get(ADDRESS))).to.be.instanceOf(InvalidCredentialsError);
  });

  it('does not mistake the response of an intermediary for one of the service', async () => {
    fake.respondWith((response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'));
    expect(await svcError(fake.svc.providers.list())).to.include({ status: 502, code: 'unexpected_response' });
    fake.respondWith((response) => void response.writeHead(200).end('<h1>Log in first</h1>'));
    expect(await svcError(fake.svc.providers.list())).to.include({ status: 200, code: 'unexpected_response' });
    fake.respondWith((response) => void response.writeHead(302, { location: '/elsewhere' }).end());
    expect(await svcError(fake.svc.providers.list())).to.include({ status: 302, code: 'unexpected_response' });
    expect(fake.received).to.have.length(3);
  });

  it('reports that nobody responds', async () => {
    const svc = new Svc({ baseUrl: `http://127.0.0.1:${await freePort()}`, apiKey: 'key' });
    const reason = await svcError(svc.providers.list());
    expect(reason).to.include({ code: 'unreachable', status: undefined });
    expect(reason.cause).to.be.instanceOf(Error);
  });

  it('ends after its timeout, even while the body arrives', async () => {
    fake.respondWith((response) => void response.writeHead(200).write('{'));
    expect((await svcError(fake.svc.providers.list({}, { timeoutMs: 50 }))).code).to.equal('timeout');
  });

  it('ends when its caller aborts it, with the caller’s reason', async () => {
    fake.respondWith(() => undefined);
    const controller = new AbortController();
    const call = failure(fake.svc.providers.list({}, { signal: controller.signal }));
    controller.abort(new Error('enough'));
    expect(await call).to.have.property('message', 'enough');
  });
});

describe('a call of the Node client that may be repeated', function () {
  const fake = useEach(this, () => new FakeService().open());

  const later = (seconds: number) => ({ 'retry-after': String(seconds) });

  for (const [status, code] of [
    [429, 'too_many_request'],
    [503, 'storage_unavailable'],
  ] as const) {
    it(`is repeated after ${status}`, async () => {
      fake.respondWith(error(status, code, later(0)), json(200, { data: [] }));
      expect(await fake.svc.integrations.list()).to.deep.equal({ data: [] });
      expect(fake.received).to.have.length(2);
    });
  }

  it('is repeated twice and no more', async () => {
    fake.respondWith(error(503, 'draining', later(0)));
    expect(await svcError(fake.svc.integrations.list())).to.include({ status: 503, retryAfterSeconds: 0 });
    expect(fake.received).to.have.length(3);
  });

  const reset = (response: ServerResponse) => void response.socket?.resetAndDestroy();
  const half = (response: ServerResponse) =>
    void response.writeHead(200, { 'content-length': 100 }).write('{', () => response.socket?.resetAndDestroy());

  for (const [what, response] of Object.entries({ 'before the response': reset, 'in the middle of the response': half })) {
    it(`is repeated after the connection was reset ${what}`, async () => {
      fake.respondWith(response, json(200, { data: [] }));
      expect(await fake.svc.integrations.list()).to.deep.equal({ data: [] });
      expect(fake.received).to.have.length(2);
    });
  }

  it('is repeated after a reset twice and no more', async () => {
    fake.respondWith(reset);
    expect((await svcError(fake.svc.integrations.list())).code).to.equal('unreachable');
    expect(fake.received).to.have.length(3);
  });

  it('is repeated with the same Idempotency-Key if it creates something', async () => {
    fake.respondWith(reset, error(503, 'storage_unavailable', later(0)), json(201, { data: {} }), json(201, { data: {} }));
    await fake.svc.connectSessions.create();
    await fake.svc.connectSessions.create({}, { idempotencyKey: 'mine' });
    const [first = '', ...keys] = fake.received.map(({ headers }) => headers['idempotency-key']);
    expect(first).to.match(/^[0-9a-f-]{36}$/);
    expect(keys).to.deep.equal([first, first, 'mine']);
  });

  const once: Readonly<Record<string, [respond: (response: ServerResponse) => void, call: (svc: Svc) => Promise<unknown>]>> = {
    'a PATCH that was reset': [reset, (svc) => svc.connections.patch(ADDRESS, {})],
    'a POST that changes': [
      error(503, 'draining', later(0)),
      (svc) => svc.connections.setMetadata({ connection_id: 'a', provider_config_key: 'b', metadata: {} }),
    ],
    'a PATCH': [error(429, 'too_many_request', later(0)), (svc) => svc.connections.patch(ADDRESS, {})],
    'what gives no time': [error(503, 'draining'), (svc) => svc.integrations.list()],
    'what has to wait for long': [error(503, 'provider_unavailable', later(31)), (svc) => svc.connections.get(ADDRESS)],
    'what would wait beyond its own limit': [
      error(503, 'provider_unavailable', later(20)),
      (svc) => svc.connections.get(ADDRESS, { timeoutMs: 10_000 }),
    ],
    'what failed otherwise': [error(500, 'server_error', later(0)), (svc) => svc.integrations.list()],
  };
  for (const [name, [response, call]] of Object.entries(once)) {
    it(`is not repeated: ${name}`, async () => {
      fake.respondWith(response);
      await svcError(call(fake.svc));
      expect(fake.received).to.have.length(1);
    });
  }
});

describe('listAll of the Node client', () => {
  it('walks from page to page by cursor', async () => {
    await using fake = await new FakeService().open();
    fake.respondWith(
      json(200, { connections: [{ id: 3 }, { id: 2 }], next_cursor: 'two' }),
      json(200, { connections: [{ id: 1 }], next_cursor: null }),
    );
    const ids = [];
    for await (const { id } of fake.svc.connections.listAll({ tags: { a: 'b' }, limit: 2 })) ids.push(id);
    expect(ids).to.deep.equal([3, 2, 1]);
    expect(fake.received.map(({ url }) => url)).to.deep.equal([
      '/connections?tags%5Ba%5D=b&limit=2',
      '/connections?tags%5Ba%5D=b&limit=2&cursor=two',
    ]);
  });
});
