import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { healthRoutes, type Readiness } from '../../core/api/health.ts';
import { defineRoute } from '../../core/server/route.ts';
import { rememberSecret } from '../support/canaries.ts';
import { startEdge } from '../support/http-edge.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const thing = defineRoute({
  method: 'GET',
  path: '/things/:thing_id',
  access: 'public',
  tag: 'Test',
  summary: 'A thing',
  responses: { 200: { description: 'It.' } },
  handle: async () => ({ body: {} }),
});

describe('health', function () {
  let state: Readiness;
  const edge = use(this, () => startEdge([...healthRoutes, thing], { readiness: async () => state }));

  it('is ok while the process lives', async () => {
    state = { ready: false, reasons: ['database_unreachable'] };
    const { status, body } = await edge.as().get('/health');
    expect([status, body]).to.deep.equal([200, { result: 'ok' }]);
  });

  it('is ready when nothing prevents it', async () => {
    state = { ready: true, reasons: [] };
    const { status, body } = await edge.as().get('/ready');
    expect([status, body]).to.deep.equal([200, { result: 'ok' }]);
  });

  it('says in words why it is not ready', async () => {
    state = { ready: false, reasons: ['database_unreachable', 'not_migrated'] };
    const { status, body } = await edge.as().get('/ready');
    expect([status, body.error.code]).to.deep.equal([503, 'storage_unavailable']);
    expect(body.error.errors.map(({ code }: { code: string }) => code)).to.deep.equal(['database_unreachable', 'not_migrated']);
  });

  it('does not name the storage as the cause when the service is stopping', async () => {
    state = { ready: false, reasons: ['draining'] };
    const { status, body } = await edge.as().get('/ready');
    expect([status, body.error.code]).to.deep.equal([503, 'draining']);
    expect(body.error.message).to.contain('stopping');
  });
});

describe('GET /metrics', () => {
  it('counts requests by declared path, never by the path that callers wrote', async () => {
    await using edge = await startEdge([...healthRoutes, thing]);
    for (const path of ['/things/tenant-a', '/things/tenant-b', '/made-up']) await edge.as().get(path);
    const { text, headers } = await edge.as().get('/metrics');
    expect(headers.get('content-type')).to.match(/^text\/plain/);
    expect(text).to.contain('svc_http_requests_total{method="GET",route="/things/:thing_id",status="200"} 2\n');
    expect(text).to.contain('svc_http_requests_total{method="GET",route="none",status="404"} 1\n');
    expect(text).to.match(/^svc_http_request_duration_seconds_count\{method="GET",route="none"\} 1$/m);
    expect(text).to.contain('nodejs_eventloop_lag_seconds').and.to.contain('process_resident_memory_bytes');
    expect(text).not.to.match(/tenant|made-up/);
  });

  it('is only for this machine, and not for requests that a proxy on it forwards', async () => {
    await using edge = await startEdge(healthRoutes);
    for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']) {
      const response = await edge.as().get('/metrics', { headers: { [name]: 'a' } });
      expectError(response, 'missing_auth_header');
      expect(response.body.error.message).to.contain('SVC_METRICS_TOKEN');
    }
    await using behind = await startEdge(healthRoutes, { trustedProxies: ['127.0.0.0/8', '::1'] });
    expectError(await behind.as().get('/metrics', { headers: { 'x-forwarded-for': '198.51.100.1' } }), 'missing_auth_header');
  });

  it('requires the configured bearer token from everybody if there is one', async () => {
    const metricsToken = rememberSecret('metrics token', randomBytes(24).toString('hex'));
    await using edge = await startEdge(healthRoutes, { metricsToken });
    const get = (authorization?: string, more = {}) =>
      edge.as().get('/metrics', { headers: { ...(authorization && { authorization }), ...more } });
    expectError(await get(), 'missing_auth_header');
    expectError(await get('Basic dTpw'), 'malformed_auth_header');
    for (const wrong of [`${metricsToken}x`, metricsToken.slice(1), 'x'])
      expectError(await get(`Bearer ${wrong}`), 'unknown_account');
    expect((await get(`Bearer ${metricsToken}`, { 'x-forwarded-for': '198.51.100.1' })).status).to.equal(200);
  });

  it('counts the requests of each application separately', async () => {
    await using one = await startEdge([...healthRoutes, thing]);
    await using other = await startEdge([...healthRoutes, thing]);
    await one.as().get('/things/x');
    expect((await other.as().get('/metrics')).text).not.to.contain('route="/things/:thing_id"');
  });
});
