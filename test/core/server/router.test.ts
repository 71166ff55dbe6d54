import { expect } from 'chai';
import * as z from 'zod';
import { defineRoute } from '../../../core/server/route.ts';
import { ROUTE, startEdge } from '../../support/http-edge.ts';
import { use } from '../../support/use.ts';

const routes = [
  defineRoute({
    ...ROUTE,
    method: 'GET',
    path: '/things/:thing_id',
    handle: async (_: unknown, { params }) => ({ body: { params } }),
  }),
  defineRoute({ ...ROUTE, method: 'GET', path: '/things/first', handle: async () => ({ body: { first: true } }) }),
  defineRoute({
    ...ROUTE,
    method: 'PUT',
    path: '/things/:thing_id',
    params: z.strictObject({ thing_id: z.string().regex(/^t\d+$/) }),
    body: z.strictObject({ name: z.string().max(5), parts: z.array(z.strictObject({ n: z.number() })).optional() }),
    handle: async (_: unknown, { params, body }) => ({ status: 201, body: { id: params.thing_id, name: body.name } }),
  }),
  defineRoute({ ...ROUTE, method: 'DELETE', path: '/things/:thing_id', handle: async () => ({}) }),
  defineRoute({
    ...ROUTE,
    method: 'GET',
    path: '/search',
    query: z.strictObject({ limit: z.coerce.number().int().optional(), tags: z.record(z.string(), z.string()).optional() }),
    handle: async (_: unknown, { query }) => ({ body: { query, at: new Date(0) } }),
  }),
  defineRoute({
    ...ROUTE,
    method: 'GET',
    path: '/elsewhere',
    handle: async () => ({ status: 302, headers: { location: '/x' } }),
  }),
];

describe('router', function () {
  const edge = use(this, () => startEdge(routes));
  it('gives the handler decoded parameters', async () => {
    const { body } = await edge.as().get('/things/a%2Fb%20%C3%A9');
    expect(body).to.deep.equal({ params: { thing_id: 'a/b é' } });
  });

  it('prefers the path with fewer parameters', async () => {
    expect((await edge.as().get('/things/first')).body).to.deep.equal({ first: true });
  });

  it('responds with 200 and a body, with 204 and none, or as the handler says', async () => {
    const app = edge.as();
    expect((await app.put('/things/t1', { name: 'x' })).status).to.equal(201);
    const gone = await app.delete('/things/t1');
    expect([gone.status, gone.text, gone.headers.get('content-length')]).to.deep.equal([204, '', null]);
    const moved = await app.get('/elsewhere');
    expect([moved.status, moved.text, moved.headers.get('location')]).to.deep.equal([302, '', '/x']);
  });

  it('sends JSON as UTF-8 and dates as ISO 8601', async () => {
    const response = await edge.as().get('/search?limit=5&tags[a]=b');
    expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(response.body).to.deep.equal({ query: { limit: 5, tags: { a: 'b' } }, at: '1970-01-01T00:00:00.000Z' });
  });

  it('responds to HEAD as to GET, without the body', async () => {
    const [get, head] = [await edge.as().get('/things/x'), await edge.as().call('HEAD', '/things/x')];
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect(head.headers.get('content-length')).to.equal(get.headers.get('content-length'));
  });

  const UNMATCHED: readonly (readonly [string, string, number, string | null])[] = [
    ['GET', '/nothing', 404, null],
    ['GET', '/', 404, null],
    ['GET', '/Search', 404, null],
    ['GET', '/search/', 404, null],
    ['GET', '//search', 404, null],
    ['GET', '/things/', 404, null],
    ['GET', '/things/a/b', 404, null],
    ['POST', '/search', 405, 'GET, HEAD'],
    ['PATCH', '/things/t1', 405, 'DELETE, GET, HEAD, PUT'],
    ['OPTIONS', '/search', 405, 'GET, HEAD'],
    ['TRACE', '/search', 405, 'GET, HEAD'],
    ['PROPFIND', '/search', 405, 'GET, HEAD'],
  ];
  for (const [method, path, status, allow] of UNMATCHED) {
    it(`responds to ${method} ${path} with ${status}`, async () => {
      const { text, status: sent } = await edge.raw(`${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(sent).to.equal(status);
      expect(/^allow: (.*)\r$/im.exec(text)?.[1] ?? null).to.equal(allow);
      expect(text).to.contain(status === 404 ? '"not_found"' : '"method_not_allowed"');
    });
  }

  const BAD_PATHS: Readonly<Record<string, string>> = {
    'a malformed escape': '/things/%zz',
    'bytes that are no UTF-8': '/things/%ff',
    'a control character': '/things/a%00b',
    'a line feed': '/things/a%0ab',
    '256 characters': `/things/${'x'.repeat(256)}`,
  };
  for (const [what, path] of Object.entries(BAD_PATHS)) {
    it(`refuses ${what} in the path`, async () => {
      const { status, body } = await edge.as().get(path);
      expect([status, body.error.code]).to.deep.equal([400, 'invalid_uri_params']);
    });
  }

  it("checks parameters against the route's own schema", async () => {
    const { status, body } = await edge.as().put('/things/x', { name: 'x' });
    expect(status).to.equal(400);
    expect(body.error.errors).to.have.lengthOf(1);
    expect(body.error.errors[0]).to.deep.include({ code: 'invalid_format', path: ['thing_id'] });
  });

  it('refuses unknown query parameters with one entry for each', async () => {
    const { status, body } = await edge.as().get('/search?limit=x&page=1&sort=up');
    expect([status, body.error.code]).to.deep.equal([400, 'invalid_query_params']);
    expect(body.error.errors.map(({ code, path }: { code: string; path: string[] }) => [code, path])).to.deep.equal([
      ['invalid_type', ['limit']],
      ['unrecognized_keys', ['page']],
      ['unrecognized_keys', ['sort']],
    ]);
  });

  it('refuses any query where the route takes none', async () => {
    const { body } = await edge.as().get('/things/x?a=1');
    expect(body.error.errors).to.deep.equal([
      { code: 'unrecognized_keys', message: 'there is no such field or parameter', path: ['a'] },
    ]);
  });

  it('refuses unknown members of the body at every depth, and names array indexes as text', async () => {
    const { status, body } = await edge.as().put('/things/t1', { name: 'x', id: 1, parts: [{ n: 1 }, { n: 'a', m: 2 }] });
    expect([status, body.error.code]).to.deep.equal([400, 'invalid_body']);
    expect(body.error.errors.map(({ path }: { path: string[] }) => path)).to.deep.equal([
      ['parts', '1', 'n'],
      ['parts', '1', 'm'],
      ['id'],
    ]);
  });

  it('lists at most a hundred faults', async () => {
    const members = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, at]));
    const { body } = await edge.as().put('/things/t1', { name: 'x', ...members });
    expect(body.error.errors).to.have.lengthOf(100);
  });
});
