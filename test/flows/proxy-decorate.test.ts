import { once } from 'node:events';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { PluginProxy } from '../support/plugin-proxy.ts';
import { CALL_HEADERS, OVERRIDE_KEY, startProxy } from '../support/proxy-harness.ts';
import { type Received, type Sent, send } from '../support/raw-http.ts';
import { use } from '../support/use.ts';

/** A plugin that decorates a call in the way that the call's header `x-do` names. */
const PLUGIN = `
import { PluginError, type OutgoingRequest, type ProviderPlugin } from '#contract';

const withHeaders = (request: OutgoingRequest, headers: object) => ({ ...request, headers: { ...request.headers, ...headers } });
const DEEDS: Record<string, (request: OutgoingRequest) => unknown> = {
  nothing: (request) => request,
  header: (request) => withHeaders(request, { 'X-Signed': 'by plugin', accept: 'text/plain' }),
  drop: ({ headers: { 'x-secret': _, ...headers }, ...request }) => ({ ...request, headers }),
  credential: (request) => withHeaders(request, { authorization: 'Own ' + request.headers.authorization }),
  query: (request) => ({ ...request, url: new URL(request.url.href + '&added=1') }),
  inPlace: (request) => (request.url.searchParams.set('added', '2'), request),
  listedHost: (request) => ({ ...request, url: new URL(request.url.pathname, 'https://files.example.com') }),
  strangeHost: (request) => ({ ...request, url: new URL('https://evil.example/') }),
  innerHost: (request) => ({ ...request, url: new URL('https://169.254.169.254/') }),
  otherPort: (request) => ({ ...request, url: new URL('http://127.0.0.1:1/') }),
  userName: (request) => ({ ...request, url: Object.assign(new URL(request.url), { username: 'a' }) }),
  fragment: (request) => ({ ...request, url: new URL('#x', request.url) }),
  method: (request) => ({ ...request, method: 'DELETE' }),
  length: (request) => withHeaders(request, { 'content-length': '3' }),
  coding: (request) => withHeaders(request, { 'Transfer-Encoding': 'chunked' }),
  connection: (request) => withHeaders(request, { connection: 'close' }),
  host: (request) => withHeaders(request, { host: 'evil.example' }),
  split: (request) => withHeaders(request, { 'x-a': 'a\\r\\nhost: evil.example' }),
  name: (request) => withHeaders(request, { 'x a': 'b' }),
  number: (request) => withHeaders(request, { 'x-a': 1 }),
  undefined: () => undefined,
  promise: async (request) => request,
  bug: (request) => { throw new TypeError('broken with ' + request.headers.authorization); },
  refusal: () => { throw new PluginError('invalid_credentials', 'the user must come back'); },
  pause: () => { throw new PluginError('provider_unavailable', 'maintenance'); },
  facts: (request, connection) => withHeaders(request, { 'x-facts': JSON.stringify(connection) }),
} as never;

export default {
  contract: 1,
  proxy: {
    decorate(request, connection) {
      const deed = DEEDS[request.headers['x-do'] ?? ''] as (...all: unknown[]) => OutgoingRequest;
      return deed(request, connection);
    },
  },
} satisfies ProviderPlugin;
`;

describe('a plugin that decorates proxied calls', function () {
  const service = use(this, () => PluginProxy.start('decorating', PLUGIN));
  beforeEach(() => {
    for (const list of [service.seen, service.dialled, service.logLines]) list.splice(0);
  });

  function call(deed: string, sent: Partial<Sent> = {}): Promise<Received> {
    return service.call({ ...sent, headers: { 'x-do': deed, ...sent.headers } });
  }

  it('leaves alone what it does not touch, byte for byte', async () => {
    const headers = { Accept: ['a', 'b'], 'X-CaSe': 'Kept' } as unknown as Record<string, string>;
    const path = '/proxy/a%2Fb//c?x=%7e&x=1';
    await call('nothing', { headers, path });
    await using bare = await startProxy({ proxy: { base_url: `${service.url}/api` } });
    await send({ port: bare.edge.port, path, headers: { ...CALL_HEADERS, 'x-do': 'nothing', ...headers } });
    const [decorated, plain] = service.seen;
    expect(decorated?.target).to.equal('/api/a%2Fb//c?x=%7e&x=1');
    const names = (raw: readonly string[] = []) => raw.filter((_, index) => raw[index - (index % 2)] !== 'authorization');
    expect(names(decorated?.rawHeaders)).to.deep.equal(names(plain?.rawHeaders));
  });

  it('sets and replaces headers', async () => {
    expect((await call('header', { headers: { accept: 'application/json' } })).status).to.equal(200);
    expect(service.seen[0]?.headers).to.include({ 'x-signed': 'by plugin', accept: 'text/plain' });
  });

  it('takes headers away', async () => {
    await call('drop', { headers: { 'x-secret': '1' } });
    expect(service.seen[0]?.headers).to.not.have.property('x-secret');
  });

  it('sees the credentials and may replace them', async () => {
    await call('credential');
    expect(service.seen[0]?.headers.authorization).to.equal(`Own Bearer ${service.proxy.vault.token}`);
  });

  it('changes the URL, as a new one or in place', async () => {
    await call('query');
    await call('inPlace');
    expect(service.seen.map(({ target }) => target)).to.deep.equal(['/api/x?a=1&added=1', '/api/x?a=1&added=2']);
  });

  it('gets a snapshot of the connection', async () => {
    await call('facts');
    const facts = JSON.parse(String(service.seen[0]?.headers['x-facts']));
    expect(facts).to.deep.include({ connectionId: 'conn-1', integrationId: 'fake', connectionConfig: { team: 'acme' } });
  });

  it('does not get the headers that frame the body, which stay as they are', async () => {
    const body = Buffer.from('{"a":1}');
    expect((await call('header', { method: 'POST', body })).status).to.equal(200);
    expect(service.seen[0]?.headers['content-length']).to.equal('7');
  });

  it('decorates each try, and the opening of a WebSocket', async () => {
    service.responses.push((response) => response.writeHead(503).end());
    await call('header', { headers: { retries: '1' } });
    expect(service.seen.map(({ headers }) => headers['x-signed'])).to.deep.equal(['by plugin', 'by plugin']);
    const url = `ws://127.0.0.1:${service.proxy.edge.port}/proxy/live`;
    await once(new WebSocket(url, { headers: { ...CALL_HEADERS, 'x-do': 'header' } }), 'error');
    expect(service.seen[2]?.headers).to.include({ 'x-signed': 'by plugin', upgrade: 'websocket' });
  });

  it('may send the call to a listed host, and to the host that the caller named', async () => {
    expect((await call('listedHost')).headers['svc-error']).to.equal('provider_unreachable');
    expect([service.seen, service.dialled]).to.deep.equal([[], ['files.example.com']]);
    const headers = { authorization: `Bearer ${OVERRIDE_KEY}`, 'base-url-override': service.url };
    expect((await call('query', { headers })).status).to.equal(200);
    expect(service.seen[0]?.target).to.equal('/x?a=1&added=1');
  });

  for (const deed of ['strangeHost', 'innerHost', 'otherPort', 'userName', 'fragment', 'method', 'length', 'coding']) {
    it(`sends nothing and is logged as failed when it decides more than it may: ${deed}`, () => expectBug(deed));
  }
  for (const deed of ['connection', 'host', 'split', 'name', 'number', 'undefined', 'promise', 'bug']) {
    it(`sends nothing and is logged as failed when it returns no valid request: ${deed}`, () => expectBug(deed));
  }

  async function expectBug(deed: string): Promise<void> {
    const response = await call(deed);
    expect([response.status, response.headers['svc-error']]).to.deep.equal([500, 'server_error']);
    expect(JSON.parse(response.body.toString()).error.code).to.equal('server_error');
    expect(service.seen).to.have.length(0);
    const lines = service.logLines.filter((line) => line.includes('a plugin failed'));
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include('proxy.decorate').and.to.not.include(service.proxy.vault.token);
  }

  it('may report that the user is needed, or that the provider is unavailable', async () => {
    const [refused, paused] = [await call('refusal'), await call('pause')];
    expect([refused.status, refused.headers['svc-error']]).to.deep.equal([424, 'invalid_credentials']);
    expect([paused.status, paused.headers['svc-error']]).to.deep.equal([503, 'provider_unavailable']);
    expect(JSON.parse(refused.body.toString()).error.message).to.equal('the user must come back');
    expect([service.seen, service.logLines]).to.deep.equal([[], []]);
  });
});
