import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { routeCalls } from '../support/concrete-routes.ts';
import { createSession } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { relayTo } from '../support/database-relay.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

const TOKEN_PAGES = ['/oauth/connect/none', '/oauth/callback', '/connect/l'];
/**
 * The `X-Frame-Options` and `frame-ancestors` of the two pages that may be framed: `/connect` by pages of listed sites,
 * `/connect/preview` only by our own.
 */
const FRAMED_PAGES: Readonly<Record<string, readonly [string | null, string]>> = {
  '/connect': [null, 'http://localhost:*'],
  '/connect/preview': ['SAMEORIGIN', "frame-ancestors 'self'"],
};
/** Files that are the same for everybody, which a browser may keep. */
const PUBLIC_FILES: readonly string[] = ['/docs/search.json'];
const UNFRAMED = ['DENY', "frame-ancestors 'none'"] as const;

describe('every response (HDR-01)', function () {
  const app = use(this, startApp);

  function expectHeaders({ headers, status }: ClientResponse, path: string): void {
    expect(headers.get('svc-request-id')).to.match(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
    const [older, ancestors] = (status === 200 ? FRAMED_PAGES[path] : undefined) ?? UNFRAMED;
    expect(headers.get('x-frame-options')).to.equal(older);
    expect(headers.get('content-security-policy')).to.contain("default-src 'none'").and.to.contain(ancestors);
    expect(headers.get('referrer-policy')).to.equal('no-referrer');
    expect(headers.has('x-powered-by')).to.equal(false);
    expect(headers.has('server')).to.equal(false);
    if (status >= 400 || TOKEN_PAGES.includes(path)) expect(headers.get('cache-control')).to.match(/^no-(store|cache)$/);
    const isAnswer = headers.get('content-type')?.includes('json') && !PUBLIC_FILES.includes(path);
    if (isAnswer) expect(headers.get('cache-control')).to.equal('no-store');
  }

  for (const { name, method, path, body } of routeCalls()) {
    it(`of ${name} has the security headers, whatever the credential`, async () => {
      const session = app.client(await createSession(app));
      for (const client of [app.client(), app.api, session]) {
        expectHeaders(await client.call(method, path, { body }), path);
      }
    });

    it(`of ${name} to a browser has the security headers, too`, async () => {
      const response = await app.client().call(method, path, { body, headers: { accept: 'text/html' } });
      expectHeaders(response, path);
    });
  }

  it('has the security headers for unknown paths, too', async () => {
    expectHeaders(await app.api.get('/nothing'), '/nothing');
    expectHeaders(await app.api.put('/connections', {}), '/connections');
  });

  it('has a request ID of its own', async () => {
    const ids = new Set<string | null>();
    for (let count = 0; count < 20; count += 1) ids.add((await app.api.get('/providers')).headers.get('svc-request-id'));
    expect(ids.size).to.equal(20);
  });
});

describe('an error (ERR-01)', () => {
  const guarded = routeCalls().filter(({ access }) => access !== 'public' && !('session' in access));

  it('of an unforeseen kind reveals nothing more', async () => {
    await using app = await startApp();
    await storeIntegration(app.api, 'one');
    await app.database.db.raw('alter table connections rename column tags to labels');
    const response = await app.api.get('/connections');
    expectError(response, 'server_error');
    expect(response.text).not.to.match(/tags|labels|column|connections/);
    const id = response.headers.get('svc-request-id') ?? '';
    expect(response.body.error.message).to.contain(id);
    expect(app.logLines.some((line) => line.includes(id) && line.includes('"level"'))).to.equal(true);
  });

  it('of an unreachable database is 503 on every route that needs it, until the database is back', async () => {
    await using database = await cloneDatabase();
    await using relay = await relayTo(database);
    await using app = await startApp({ database: relay.database });
    expect((await app.api.get('/integrations')).status).to.equal(200);

    relay.cut();
    const account = app.client(app.accountKey);
    for (const { name, method, path, body, access } of guarded) {
      const isOfAccount = typeof access === 'object' && 'scope' in access && access.scope.startsWith('account:');
      const response = await (isOfAccount ? account : app.api).call(method, path, { body });
      if (response.status >= 500) expectError(response, 'storage_unavailable');
      else expect([200, 400, 404], name).to.include(response.status);
    }
    const response = await app.api.get('/integrations');
    expectError(response, 'storage_unavailable');
    expect(Number(response.headers.get('retry-after'))).to.be.greaterThan(0);
    expectError(await app.client(app.accountKey).get('/integrations'), 'storage_unavailable');
    expectError(await app.client().get('/ready'), 'storage_unavailable');
    expect((await app.client().get('/health')).status).to.equal(200);

    relay.restore();
    expect((await app.api.get('/integrations')).status).to.equal(200);
  });
});
