import { expect } from 'chai';
import type { Access } from '../../core/server/route.ts';
import { startApp } from '../support/app.ts';
import { type RouteCall, routeCalls } from '../support/concrete-routes.ts';
import { createSession } from '../support/connect.ts';
import { type ClientResponse, client } from '../support/http-client.ts';
import { use } from '../support/use.ts';

/** Origins of pages, among them some that resemble those of the service and the application. */
const ORIGINS = [
  'null',
  'https://app.example',
  'https://app.example.evil.test',
  'https://evil-app.example',
  'https://sub.app.example',
  'http://app.example:8080',
  'http://localhost:3000',
  'file://',
];

/** Routes with a session token that browsers visit as pages, so no script calls them. */
const VISITED = ['GET /oauth/connect/:uniqueKey'];

/** The SDK, which pages of any site may load. */
const SDK = 'GET /sdk/v1.js';

function isForPages({ name, access }: RouteCall): boolean {
  if (access === 'public' || VISITED.includes(name)) return false;
  return 'session' in access || ('orSession' in access && access.orSession === true);
}

function corsHeaders({ headers }: ClientResponse): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

const OPEN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Svc-Request-Id, Retry-After' };

describe('pages of other sites (CORS-01)', function () {
  const app = use(this, () => startApp({ env: { SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0' } }));
  const calls = routeCalls();
  const open = calls.filter(isForPages);
  const closed = calls.filter((call) => !isForPages(call) && call.name !== SDK);

  const ask = ({ method, path, body }: RouteCall, origin: string, key?: string) =>
    app.client(key).call(method, path, { body, headers: { origin, cookie: 'a=b' } });

  // A preflight is not an operation of the API, so its response cannot be checked against the OpenAPI document.
  const askFirst = ({ path }: Pick<RouteCall, 'path'>, method: string, origin: string) =>
    client(app.url).call('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
        'access-control-request-private-network': 'true',
      },
    });

  it('may call routes that take a session token, and no others', () => {
    const names = open.map(({ name }) => name);
    expect(names).to.include.members(['GET /connect/session', 'DELETE /connect/session', 'GET /integrations', 'GET /providers']);
    const others: readonly Access[] = closed.map(({ access }) => access);
    expect(others).to.include('public');
    expect(closed.map(({ name }) => name)).to.include.members(['POST /connect/sessions', 'ANY /proxy', 'GET /oauth/callback']);
  });

  for (const call of open) {
    it(`may read responses of ${call.name}, errors included, but bring no cookies`, async () => {
      const token = await createSession(app);
      for (const origin of ORIGINS) {
        for (const key of [token, undefined, 'nonsense']) {
          expect(corsHeaders(await ask(call, origin, key)), `${origin} ${key}`).to.deep.equal(OPEN);
        }
      }
    });

    it(`may ask whether they may call ${call.name}`, async () => {
      for (const origin of ORIGINS) {
        const response = await askFirst(call, call.method, origin);
        expect([response.status, response.text]).to.deep.equal([204, '']);
        const { 'access-control-allow-methods': methods = '', ...others } = corsHeaders(response);
        expect(methods.split(', ')).to.include(call.method);
        expect(others).to.deep.equal({
          'access-control-allow-origin': '*',
          'access-control-allow-headers': 'Authorization, Content-Type, Last-Event-ID, Cache-Control, X-Svc-Embed-Origin',
          'access-control-max-age': '600',
        });
      }
    });
  }

  for (const call of closed) {
    it(`may neither read nor preflight ${call.name}`, async () => {
      for (const origin of ORIGINS) {
        for (const key of [app.apiKey, undefined]) expect(corsHeaders(await ask(call, origin, key))).to.deep.equal({});
        const response = await askFirst(call, call.method, origin);
        expect(response.status, response.text).to.be.within(400, 499);
        expect(corsHeaders(response)).to.deep.equal({});
      }
    });
  }

  it('learn from a preflight only the methods that they may call', async () => {
    const response = await askFirst({ path: '/integrations' }, 'GET', 'https://app.example');
    expect(response.headers.get('access-control-allow-methods')).to.equal('GET');
    const both = await askFirst({ path: '/connect/session' }, 'GET', 'https://app.example');
    expect(both.headers.get('access-control-allow-methods')).to.equal('DELETE, GET');
  });

  for (const [what, headers] of Object.entries({
    'an origin': { 'access-control-request-method': 'GET' },
    'a method': { origin: 'https://app.example' },
    either: {},
  })) {
    it(`get 405 for OPTIONS without ${what}, which is no preflight`, async () => {
      const response = await app.client().call('OPTIONS', '/connect/session', { headers });
      expect([response.status, response.headers.get('allow')]).to.deep.equal([405, 'DELETE, GET, HEAD']);
      expect(corsHeaders(response)).to.deep.equal({});
    });
  }

  for (const method of ['PUT', 'get', 'OPTIONS', 'TRACE', '*', 'GET, DELETE']) {
    it(`get 405 for a preflight of ${method}, which no route takes`, async () => {
      const response = await askFirst({ path: '/connect/session' }, method, 'https://app.example');
      expect(response.status).to.equal(405);
      expect(corsHeaders(response)).to.deep.equal({});
    });
  }

  it('get 404 for a preflight of an unknown path', async () => {
    const response = await askFirst({ path: '/nothing' }, 'GET', 'https://app.example');
    expect(response.status).to.equal(404);
    expect(corsHeaders(response)).to.deep.equal({});
  });
});
