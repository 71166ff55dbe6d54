import { expect } from 'chai';
import { type Received, send } from '../support/raw-http.ts';
import { rawExchange } from '../support/raw-tcp.ts';
import { urlOf } from '../support/requests/api-request.ts';
import { type ApiOperation, apiOperations } from '../support/requests/operations.ts';
import { World } from '../support/requests/world.ts';
import { use } from '../support/use.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY'];
const LONG = 'x'.repeat(17 * 1024);
const FIELDS = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-field-${at}`, 'x']));
const LARGE_FIELD = { 'x-field': 'x'.repeat(40 * 1024) };

const plain = apiOperations.filter(({ isStream }) => !isStream);
const streams = apiOperations.filter(({ isStream }) => isStream);

/** Returns the methods that a path accepts: those of all routes whose templates match it, and HEAD if GET is among them. */
function declaredAt(template: string): readonly string[] {
  const fitting = plain.filter((one) => new RegExp(`^${one.template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(template));
  const methods = [...new Set(fitting.map(({ method }) => method))];
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

describe('a probe (PRB-01)', function () {
  const world = use(this, () => World.open());

  async function probe(
    operation: ApiOperation,
    change: { method?: string; query?: string; headers?: Record<string, string> } = {},
  ): Promise<Received> {
    const { request } = await world.requestFor(operation);
    const query = change.query === undefined ? '' : `${urlOf(request).includes('?') ? '&' : '?'}${change.query}`;
    return send({
      port: portOf(world),
      method: change.method ?? 'GET',
      path: `${urlOf(request)}${query}`,
      headers: { host: '127.0.0.1', authorization: `Bearer ${world.app.apiKey}`, ...request.headers, ...change.headers },
    });
  }

  for (const template of new Set(plain.map((one) => one.template))) {
    const [operation] = plain.filter((one) => one.template === template);
    if (operation === undefined) continue;
    const declared = declaredAt(template);

    it(`by a method that ${template} does not accept gets the accepted methods`, async () => {
      for (const method of METHODS.filter((one) => !declared.includes(one))) {
        const response = await probe(operation, { method });
        expectRefused(response, 405, 'method_not_allowed');
        expect(
          response.headers.allow?.split(', ').filter((one) => one !== 'OPTIONS'),
          method,
        ).to.have.members(declared.filter((one) => one !== 'OPTIONS'));
      }
    });

    it(`by HEAD gets the response of GET from ${template}, without the body`, async () => {
      const head = await probe(operation, { method: 'HEAD' });
      expect(head.body).to.have.length(0);
      if (!declared.includes('GET')) return expect(head.status).to.equal(405);
      // A GET of these routes has effects. HEAD must not cause them, because mail tools and link previews send HEAD.
      if (/^\/(oauth\/c|app-auth)/.test(template)) return expect(head.status).to.equal(200);
      const get = await probe(operation, { method: 'GET' });
      expect([head.status, head.headers['content-type']]).to.deep.equal([get.status, get.headers['content-type']]);
    });
  }

  for (const operation of apiOperations) {
    it(`by a URL of 16 kB is refused by ${operation.name}`, async () => {
      expectRefused(await probe(operation, { method: operation.method, query: `q=${LONG}` }), 414, 'uri_too_long');
    });

    it(`by 200 headers, or by 20 kB of them, is refused by ${operation.name}`, async () => {
      for (const headers of [FIELDS, LARGE_FIELD]) {
        expectRefused(await probe(operation, { method: operation.method, headers }), 431, 'headers_too_large');
      }
    });
  }

  for (const operation of streams) {
    it(`by TRACE is refused by ${operation.name}, which accepts every other method`, async () => {
      const response = await probe(operation, { method: 'TRACE' });
      expectRefused(response, 405, 'method_not_allowed');
      expect(response.headers.allow?.split(', '))
        .to.include.members(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
        .and.not.include('TRACE');
      for (const method of METHODS.filter((one) => one !== 'TRACE')) {
        expect((await probe(operation, { method })).headers['svc-error'], method).to.equal(undefined);
      }
    });
  }

  for (const target of ['example.com:443', '/integrations', '127.0.0.1:5432']) {
    it(`by CONNECT to ${target} opens nothing`, async () => {
      const { bytes, closed } = await rawExchange(portOf(world), `CONNECT ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect(bytes.toString()).to.match(/^HTTP\/1\.1 4\d\d /);
      expect(closed).to.equal(true);
    });
  }
});

function expectRefused(response: Received, status: number, code: string): void {
  expect(response.status, response.body.toString()).to.equal(status);
  expect(response.headers['svc-error']).to.equal(code);
  expect(response.headers['svc-request-id']).to.match(/^[0-9a-f-]{36}$/);
  expect(Object.keys(JSON.parse(response.body.toString()).error)).to.deep.equal(['code', 'message']);
}

function portOf({ app }: World): number {
  return Number(new URL(app.url).port);
}
