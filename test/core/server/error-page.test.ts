import { expect } from 'chai';
import * as z from 'zod';
import { ServiceError } from '../../../core/errors.ts';
import { html, pageReply } from '../../../core/server/pages/html.ts';
import { defineRoute } from '../../../core/server/route.ts';
import { ROUTE, startEdge } from '../../support/http-edge.ts';
import { use } from '../../support/use.ts';

const routes = [
  defineRoute({
    ...ROUTE,
    method: 'GET',
    path: '/page',
    query: z.strictObject({ fail: z.enum(['known', 'bug']).optional() }),
    errorPage: ({ code }, { requestId }) =>
      pageReply({ title: 'Sorry', style: '', body: html`<p>${code} ${requestId}</p>`, status: 200 }),
    handle: async (_: unknown, { query }) => {
      if (query.fail === 'known') throw new ServiceError('provider_unavailable', 'later', { retryAfterSeconds: 5 });
      if (query.fail === 'bug') throw new TypeError('a bug');
      return { body: {} };
    },
  }),
  defineRoute({
    ...ROUTE,
    method: 'GET',
    path: '/plain',
    handle: async () => {
      throw new ServiceError('not_found', 'nothing here');
    },
  }),
];

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' } };

describe('the page of an error', function () {
  const edge = use(this, () => startEdge(routes));
  const FAULTS: readonly (readonly [string, number, string])[] = [
    ['/page?unknown=1', 400, 'invalid_query_params'],
    ['/page?fail=known', 503, 'provider_unavailable'],
    ['/page?fail=bug', 500, 'server_error'],
  ];

  for (const [path, status, code] of FAULTS) {
    it(`of ${path} explains it to a browser, with the status and the headers of the error`, async () => {
      const response = await edge.as().get(path, BROWSER);
      expect([response.status, response.headers.get('content-type')]).to.deep.equal([status, 'text/html; charset=utf-8']);
      expect(response.text).to.include(`<p>${code} ${response.headers.get('svc-request-id')}</p>`);
      expect(response.headers.get('svc-error')).to.equal(code);
      expect(response.headers.get('retry-after')).to.equal(code === 'provider_unavailable' ? '5' : null);
      expect(response.headers.get('content-security-policy')).to.include("default-src 'none'");
    });

    it(`of ${path} is the usual JSON body for every other client`, async () => {
      const response = await edge.as().get(path, { headers: { accept: 'application/json' } });
      expect([response.status, response.body.error.code]).to.deep.equal([status, code]);
    });
  }

  it('is the usual JSON body where the route has no page', async () => {
    const response = await edge.as().get('/plain', BROWSER);
    expect([response.status, response.body.error.code]).to.deep.equal([404, 'not_found']);
  });
});
