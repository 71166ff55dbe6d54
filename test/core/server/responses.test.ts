import { expect } from 'chai';
import * as z from 'zod';
import { ServiceError } from '../../../core/errors.ts';
import { defineRoute, defineStream } from '../../../core/server/route.ts';
import { client } from '../../support/http-client.ts';
import { ROUTE, startEdge } from '../../support/http-edge.ts';
import { use } from '../../support/use.ts';

const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DATABASE_FAULT = new Error('connect ECONNREFUSED /secret/path');

function failing(path: string, error: () => unknown) {
  return defineRoute({
    ...ROUTE,
    method: 'GET',
    path,
    handle: async () => {
      throw error();
    },
  });
}

const routes = [
  defineRoute({ ...ROUTE, method: 'GET', path: '/fine', handle: async () => ({ body: {} }) }),
  defineRoute({
    ...ROUTE,
    method: 'GET',
    path: '/own',
    handle: async () => ({ type: 'image/svg+xml', body: '<svg/>', headers: { 'Cache-Control': 'public' } }),
  }),
  defineRoute({ ...ROUTE, method: 'POST', path: '/post', body: z.strictObject({}), handle: async () => ({}) }),
  defineRoute({ ...ROUTE, method: 'GET', path: '/guarded', access: { scope: 'environment:proxy' }, handle: async () => ({}) }),
  defineRoute({ ...ROUTE, method: 'GET', path: '/untyped', handle: async () => ({ type: 'text/html', body: {} }) }),
  failing('/bug', () => new TypeError('select * from keys where /work/core/x.ts failed')),
  failing('/text', () => 'thrown text'),
  failing('/database', () => DATABASE_FAULT),
  failing('/later', () => new ServiceError('provider_unavailable', 'later')),
  failing('/wait', () => new ServiceError('provider_unavailable', 'later', { retryAfterSeconds: 1.5 })),
  defineStream({
    ...ROUTE,
    path: '/stream',
    handle: async (_: unknown, { response }) => {
      response.setHeader('content-encoding', 'gzip');
      throw new TypeError('a bug in a stream');
    },
  }),
];

const ERRORS: readonly (readonly [string, string, number, string])[] = [
  ['GET', '/none', 404, 'not_found'],
  ['PUT', '/fine', 405, 'method_not_allowed'],
  ['GET', '/fine?x=1', 400, 'invalid_query_params'],
  ['POST', '/post', 400, 'invalid_body'],
  ['GET', '/guarded', 401, 'missing_auth_header'],
  ['GET', '/bug', 500, 'server_error'],
  ['GET', '/text', 500, 'server_error'],
  ['GET', '/untyped', 500, 'server_error'],
  ['GET', '/database', 503, 'storage_unavailable'],
  ['GET', '/wait', 503, 'provider_unavailable'],
  ['GET', '/stream/x', 500, 'server_error'],
];

describe('responses', function () {
  const unavailable = new ServiceError('storage_unavailable', 'the database cannot be reached', { cause: DATABASE_FAULT });
  const edge = use(this, () =>
    startEdge(routes, { describeFault: (error) => (error === DATABASE_FAULT ? unavailable : undefined) }),
  );

  for (const [method, path, status, code] of ERRORS) {
    it(`${method} ${path} is a ${code} in the shape of all errors (ERR-01)`, async () => {
      const response = await edge.as().call(method, path);
      expect(response.status).to.equal(status);
      expect(Object.keys(response.body)).to.deep.equal(['error']);
      expect(Object.keys(response.body.error)).to.have.members(
        'errors' in response.body.error ? ['code', 'message', 'errors'] : ['code', 'message'],
      );
      expect([response.body.error.code, response.headers.get('svc-error')]).to.deep.equal([code, code]);
      expect(response.headers.get('svc-request-id')).to.match(REQUEST_ID);
      expect(response.headers.get('content-encoding')).to.equal(null);
      expect(response.text).not.to.match(/select|\/work|\.ts|secret|node|koa|\bat \w+ \(/i);
    });
  }

  for (const path of ['/fine', '/own', '/none', '/bug', '/guarded', '/stream/x']) {
    it(`GET ${path} carries the security headers (HDR-01)`, async () => {
      const { headers } = await edge.as().get(path);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('x-frame-options')).to.equal('DENY');
      expect(headers.get('content-security-policy')).to.equal("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('cache-control')).to.equal(path === '/own' ? 'public' : 'no-store');
      const telling = ['x-powered-by', 'server', 'access-control-allow-origin'].filter((name) => headers.has(name));
      expect(telling).to.deep.equal([]);
    });
  }

  it('have an ID each, never the one that the caller sent', async () => {
    const app = client(edge.url);
    const sent = { headers: { 'svc-request-id': 'mine' } };
    const ids = [await app.get('/fine', sent), await app.get('/fine', sent)].map(({ headers }) => headers.get('svc-request-id'));
    expect(new Set(ids)).to.have.lengthOf(2);
    expect(ids).not.to.include('mine');
  });

  it('to an internal error reveal nothing, but the log has the error under the same ID', async () => {
    const response = await edge.as().get('/bug');
    const id = response.headers.get('svc-request-id') ?? 'none';
    const line = edge.log.find((text) => text.includes(id) && text.includes('"level":"error"'));
    expect(JSON.parse(line ?? '{}')).to.deep.include({ level: 'error', message: 'a request failed' });
    expect(line).to.contain('select * from keys');
  });

  it('say when to retry, in whole seconds', async () => {
    expect((await edge.as().get('/wait')).headers.get('retry-after')).to.equal('2');
    expect((await edge.as().get('/later')).headers.get('retry-after')).to.equal('5');
    expect((await edge.as().get('/bug')).headers.get('retry-after')).to.equal(null);
  });
});
