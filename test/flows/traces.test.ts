import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { canary } from '../support/canaries.ts';
import { connect, connectAgain, mustBe, throughProxy } from '../support/connect.ts';
import { startFakeApplication } from '../support/fake-application.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { createHook, firstEnvironmentUuid, type Hook, hookSender, makeHooked } from '../support/hooked.ts';
import { Installation } from '../support/installation.ts';
import { OtlpCollector, type ReceivedSpan } from '../support/otlp-collector.ts';
import { storeConnection } from '../support/stored.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { use } from '../support/use.ts';
import { deploy } from '../support/user-scripts.ts';

const LIFETIME_SECONDS = 3_600;
/** A text in a path, which is no secret: the operation log shows it. */
const IN_PATH = randomBytes(20).toString('hex');
const HTTP_ATTRIBUTES = ['error.type', 'http.request.method', 'http.response.status_code', 'http.route'];
/** All that spans may tell. */
const ATTRIBUTES = new Set([
  ...HTTP_ATTRIBUTES,
  ...['server.address', 'server.port', 'svc.provider', 'svc.script.event', 'svc.webhook.type'],
]);

interface Caller {
  readonly traceId: string;
  readonly spanId: string;
  readonly headers: { readonly traceparent: string; readonly tracestate: string };
}

/** Returns the context of somebody who calls the service. */
function newCaller(): Caller {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01`, tracestate: 'vendor=opaque' } };
}

const contextOf = ({ traceId, spanId }: ReceivedSpan) => `00-${traceId}-${spanId}-01`;

describe('a trace', function () {
  /** The collectors of two instances: the one that is called, and another one, which works on what is due. */
  const collector = use(this, () => OtlpCollector.start());
  const other = use(this, () => OtlpCollector.start());
  const installation = use(this, () => Installation.open());
  const provider = use(this, () => startFakeProvider({ accessTokenTtlSeconds: LIFETIME_SECONDS }));
  const application = use(this, () => startFakeApplication());
  const hooked = use(this, makeHooked);
  const one = use(this, () => installation.startApp({ ...collector.env, ...hooked.env }));
  const two = use(this, () => installation.startApp({ ...other.env, ...hooked.env }));
  let connected: Awaited<ReturnType<typeof connect>>;
  let hook: Hook;

  before(async () => {
    await enableWebhooks(installation.db);
    await installation.db('environments').where({ id: 1 }).update({ webhook_url: application.url });
    connected = await connect(one, provider);
    hook = await createHook(one.api, await firstEnvironmentUuid(one));
    two.services.matching.start();
    two.services.scriptQueue.start();
    two.services.deliverer.start();
  });

  const inTrace = ({ traceId }: Pick<Caller, 'traceId'>) => collector.spans.filter((span) => span.traceId === traceId);
  const child = (parent: Pick<ReceivedSpan, 'spanId'>, name: string, at: OtlpCollector = collector) =>
    at.span(`${name} below ${parent.spanId}`, (span) => span.parentId === parent.spanId && span.name.startsWith(name));
  const lastApiCall = () => provider.ledger.of('api').at(-1) ?? expect.fail('nobody called the API');

  it('goes from the caller through a proxied call to the provider', async () => {
    const caller = newCaller();
    const path = `/echo/${IN_PATH}?q=${encodeURIComponent(canary('query'))}`;
    const headers = { ...caller.headers, 'x-own': canary('header') };
    mustBe(200, await throughProxy(one, connected, { path, method: 'POST', headers, body: { secret: canary('body') } }));

    const served = await child(caller, 'POST /proxy/*');
    expect(served).to.deep.include({ kind: 'server', hasFailed: false, state: 'vendor=opaque' });
    const { port } = new URL(one.url);
    const own = { 'server.address': '127.0.0.1', 'server.port': Number(port), 'http.response.status_code': 200 };
    expect(served.attributes).to.deep.equal({ ...own, 'http.request.method': 'POST', 'http.route': '/proxy/*' });
    const called = await child(served, 'POST');
    expect(called).to.deep.include({ kind: 'client', hasFailed: false });
    expect(called.attributes).to.deep.equal({
      ...own,
      'http.request.method': 'POST',
      'server.port': Number(new URL(provider.url).port),
      'svc.provider': 'generic-oauth',
    });
    expect(lastApiCall().headers).to.include({ traceparent: contextOf(called), tracestate: 'vendor=opaque' });
    expect(lastApiCall().rawHeaders.filter((name) => name.toLowerCase() === 'traceparent')).to.have.length(1);
    expect(called.resource).to.include({ 'service.name': 'svc', 'telemetry.sdk.language': 'nodejs' });
  });

  it('has no span for probes, which are many', async () => {
    const caller = newCaller();
    for (const path of ['/ready', '/health', '/metrics', '/connections'])
      await one.api.call('GET', path, { headers: caller.headers });
    await child(caller, 'GET /connections');
    expect(inTrace(caller)).to.have.length(1);
  });

  it('has a span for each retry, with a context of its own', async () => {
    const caller = newCaller();
    provider.next('api', { response: { status: 503 } });
    mustBe(200, await throughProxy(one, connected, { path: '/me', headers: { ...caller.headers, retries: '1' } }));
    const served = await child(caller, 'GET /proxy/*');
    await collector.span('two attempts', () => inTrace(caller).length === 3);
    const attempts = inTrace(caller).filter(({ parentId }) => parentId === served.spanId);
    expect(attempts.map(({ attributes, hasFailed }) => [attributes['http.response.status_code'], hasFailed])).to.deep.equal([
      [503, true],
      [200, false],
    ]);
    expect(attempts[0]?.attributes['error.type']).to.equal('503');
    const sent = provider.ledger.of('api').slice(-2);
    expect(sent.map(({ headers }) => headers['traceparent'])).to.deep.equal(attempts.map(contextOf));
  });

  it('names the code of a call that got no response', async () => {
    const caller = newCaller();
    provider.next('api', { delivery: 'reset' });
    const response = await throughProxy(one, connected, { path: '/me', method: 'POST', headers: caller.headers });
    expect(response.status).to.equal(502);
    const served = await child(caller, 'POST /proxy/*');
    expect(served.attributes).to.include({ 'error.type': '502' });
    expect((await child(served, 'POST')).attributes).to.include({ 'error.type': 'provider_unreachable' });
  });

  it('has the refresh that a call waits for; the token endpoint gets no context', async () => {
    const uncached = await connectAgain(one);
    await installation.advance(LIFETIME_SECONDS + 1);
    const caller = newCaller();
    mustBe(200, await throughProxy(one, uncached, { path: '/me', headers: caller.headers }));
    const refresh = await child(await child(caller, 'GET /proxy/*'), 'credentials refresh');
    expect(refresh.attributes).to.deep.equal({ 'svc.provider': 'generic-oauth' });
    const call = await child(refresh, 'POST');
    expect(call.kind).to.equal('client');
    const { headers } = provider.ledger.of('token').at(-1) ?? expect.fail('no refresh');
    expect(headers).to.not.have.any.keys('traceparent', 'tracestate');
  });

  it('goes from a provider’s delivery to the application, by way of another instance', async () => {
    const { connectionId } = await storeConnection(one, { key: hook.key });
    const caller = newCaller();
    const before = application.ledger.entries.length;
    const body = { type: 'made', keys: [{ by: 'connectionId', value: connectionId }], secret: canary('delivered') };
    mustBe(200, await hookSender(one.client(), hook)(body, { headers: caller.headers }));
    const served = await child(caller, 'POST /webhook/');
    const matched = await child(served, 'delivery matching', other);
    expect(matched.attributes).to.deep.equal({ 'svc.provider': 'hooked' });
    const attempt = await child(matched, 'webhook attempt', other);
    expect(attempt.attributes).to.deep.equal({ 'svc.webhook.type': 'forward' });
    const sent = await child(attempt, 'POST', other);
    expect(application.ledger.entries.slice(before).map(({ headers }) => headers['traceparent'])).to.deep.equal([
      contextOf(sent),
    ]);
    expect(sent.traceId).to.equal(caller.traceId);
  });

  it('goes from an authorization to the script and the webhook that it causes, and on to the provider', async () => {
    await deploy(one, { event: 'post-connection-creation', source: `export default (svc) => svc.get({ endpoint: '/me' });` });
    await connectAgain(one);
    const run = await other.span('the run', ({ name }) => name === 'script run');
    expect(run.attributes).to.deep.equal({ 'svc.provider': 'generic-oauth', 'svc.script.event': 'post-connection-creation' });
    const called = await child(run, 'GET', other);
    expect(lastApiCall().headers['traceparent']).to.equal(contextOf(called));
    const callback = await collector.span('the callback', ({ spanId }) => spanId === run.parentId);
    expect(callback.name).to.equal('GET /oauth/callback');
    expect((await child(callback, 'webhook attempt', other)).attributes).to.deep.equal({ 'svc.webhook.type': 'auth' });
    await child(callback, 'POST');
  });

  it('is not recorded if its caller does not record it, but goes on', async () => {
    const { traceId, headers, spanId } = newCaller();
    const traceparent = headers.traceparent.replace(/01$/, '00');
    mustBe(200, await throughProxy(one, connected, { path: '/me', headers: { traceparent } }));
    expect(lastApiCall().headers['traceparent']).to.match(new RegExp(`^00-${traceId}-(?!${spanId})[0-9a-f]{16}-00$`));
    const marker = newCaller();
    mustBe(200, await throughProxy(one, connected, { path: '/me', headers: marker.headers }));
    await child(marker, 'GET /proxy/*');
    expect(inTrace({ traceId })).to.deep.equal([]);
  });

  for (const traceparent of ['00-0-0-01', '', '00-00000000000000000000000000000000-0000000000000000-01', `x'; --`]) {
    it(`begins anew after the context ${JSON.stringify(traceparent)}`, async () => {
      mustBe(200, await throughProxy(one, connected, { path: '/me', headers: { traceparent } }));
      const sent = String(lastApiCall().headers['traceparent']);
      const called = await collector.span('the call', (span) => contextOf(span) === sent);
      const served = await collector.span('the request', ({ spanId }) => spanId === called.parentId);
      expect(served.parentId).to.equal('');
    });
  }

  it('tells nothing but what is listed', () => {
    for (const { spans, requests } of [collector, other]) {
      expect(requests.some(({ body }) => body.includes(IN_PATH))).to.equal(false);
      const told = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)));
      expect([...told].filter((name) => !ATTRIBUTES.has(name))).to.deep.equal([]);
    }
  });
});

describe('without traces', function () {
  const installation = use(this, () => Installation.open());
  const provider = use(this, () => startFakeProvider());
  const off = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' };

  for (const [how, env] of Object.entries({ 'when no variable is set': {}, 'when they are turned off': off })) {
    it(`headers pass as they are, and nothing is stored, ${how}`, async () => {
      const app = await installation.startApp(env);
      await enableWebhooks(installation.db);
      const key = `fake${Object.keys(env).length}`;
      const connected = await connect(app, provider, key);
      const { headers } = newCaller();
      mustBe(200, await throughProxy(app, connected, { path: '/me', headers }));
      expect(provider.ledger.of('api').at(-1)?.headers).to.include(headers);
      mustBe(200, await throughProxy(app, connected, { path: '/me' }));
      expect(provider.ledger.of('api').at(-1)?.headers).to.not.have.any.keys('traceparent', 'tracestate');
      const messages = await installation.db('webhook_messages').select('trace_context');
      expect(messages).not.to.deep.equal([]);
      expect(new Set(messages.map(({ trace_context: context }) => context))).to.deep.equal(new Set([null]));
    });
  }
});
