import { expect } from 'chai';
import type { StoredCredentials } from '../../../core/auth-modes/auth-mode.ts';
import { canary } from '../../support/canaries.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { CONFIG } from '../../support/integration-bodies.ts';
import { serve } from '../../support/loopback-server.ts';
import { expectError } from '../../support/std-error.ts';
import { storeConnection } from '../../support/stored.ts';
import { startTenant } from '../../support/tenant.ts';
import { use } from '../../support/use.ts';

const KIB = 1024;

describe('the proxy as the dashboard tries it', function () {
  const provider = use(this, () =>
    serve((request, response) => {
      const { authorization = '' } = request.headers;
      const token = authorization.replace(/^\w+ /, '');
      const headers = { 'x-echo': authorization, 'content-type': 'text/plain' };
      response.writeHead(request.url?.startsWith('/refused') ? 403 : 200, headers);
      if (request.url === '/long') return response.end(`${token}é`.repeat(40_000));
      if (request.url === '/at-the-end') return response.end('x'.repeat(64 * KIB - 20) + token);
      const sent = { url: request.url, agent: request.headers['user-agent'], authorization, escaped: encodeURIComponent(token) };
      response.end(JSON.stringify(sent));
    }),
  );
  const app = use(this, startTenant);
  const password = canary('password of a connection');
  let developer: TestMember;
  let named: { readonly connection_id: string; readonly provider_config_key: string };

  const attempt = (body: object) => developer.ui.post('/api/ui/e/dev/proxy-try', { ...named, method: 'GET', ...body });

  before(async () => {
    developer = await signedInAs(app, 'developer');
    const integration_config = { ...CONFIG, api_base_url: provider.url };
    const credentials = { client_id: 'client', client_secret: canary('client secret') };
    await app.api.post('/integrations', { unique_key: 'acme', provider: 'generic-oauth', credentials, integration_config });
    const { connectionId } = await storeConnection(app, { key: 'acme' });
    named = { connection_id: connectionId, provider_config_key: 'acme' };
  });

  it('responds as the provider did, without credentials that the provider repeats in any place', async () => {
    const { status, body } = await attempt({ path: '/refused?page=2', headers: { 'User-Agent': 'mine' } });
    const { data } = body;
    expect([status, data.status, data.truncated]).to.deep.equal([200, 403, false]);
    expect(data.headers).to.include({ 'x-echo': 'Bearer [redacted]', 'content-type': 'text/plain' });
    expect(JSON.parse(data.body)).to.deep.equal({
      url: '/refused?page=2',
      agent: 'mine',
      authorization: 'Bearer [redacted]',
      escaped: '[redacted]',
    });
    expect(data.duration_ms).to.be.within(0, 30_000);
    const { body: logs } = await developer.ui.get(`/api/ui/e/dev/logs?search=${data.request_id}`);
    expect(logs.data).to.have.length(1);
    expect(logs.data[0]).to.include({ type: 'proxy', summary: 'GET /refused → 403' });
  });

  it('truncates long responses after they are redacted, so that no part of a credential is left', async () => {
    const { data: cut } = (await attempt({ path: '/at-the-end' })).body;
    expect([cut.body.endsWith('x[redacted]'), cut.truncated]).to.deep.equal([true, false]);
    const { data: long } = (await attempt({ path: '/long' })).body;
    expect(long.truncated).to.equal(true);
    expect(long.body.replaceAll('[redacted]é', '').length).to.be.below('[redacted]é'.length);
    expect(Buffer.byteLength(long.body)).to.be.within(60 * KIB, 64 * KIB);
  });

  it('hides credentials in the form in which they are sent', async () => {
    const login = { type: 'BASIC', username: 'ada', password, receivedAt: new Date().toISOString() };
    const { connectionId } = await storeConnection(app, { key: 'acme', credentials: login as StoredCredentials });
    const { data } = (await attempt({ connection_id: connectionId, path: '/' })).body;
    expect(data.headers['x-echo']).to.equal('Basic [redacted]');
    expect(JSON.parse(data.body)).to.include({ authorization: 'Basic [redacted]', escaped: '[redacted]' });
  });

  it('refuses invalid paths, headers of the service, and unknown connections', async () => {
    expectError(await attempt({ path: 'https://elsewhere.example/' }), 'invalid_body');
    expectError(await attempt({ path: '/', headers: { Host: 'elsewhere.example' } }), 'invalid_body');
    expectError(await attempt({ path: '/', headers: { 'Base-Url-Override': 'https://elsewhere.example' } }), 'forbidden');
    expectError(await attempt({ path: '/', connection_id: 'none' }), 'unknown_connection');
  });
});
