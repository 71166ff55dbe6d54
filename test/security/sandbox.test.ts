import { expect } from 'chai';
import { createOutbound } from '../../core/kit/outbound.ts';
import { startApp } from '../support/app.ts';
import { createSession, readConnection, throughProxy } from '../support/connect.ts';
import { outboundFault } from '../support/outbound-fault.ts';
import { addSandbox, connectSandbox, decide, openSandbox } from '../support/sandbox.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const KEY = 'sandbox-oauth2';
const BASE = 'https://svc.example/base';

describe('the sandbox in production', function () {
  const app = use(this, () => startApp({ env: { SVC_OUTBOUND_ALLOW: '' } }));
  const mark = (is_production: boolean) => app.database.db('environments').where({ id: 1 }).update({ is_production });
  before(() => addSandbox(app));
  afterEach(() => mark(false));

  it('is refused to a new integration', async () => {
    await mark(true);
    const response = await app.api.post('/integrations', { unique_key: 'another', provider: KEY });
    expectError(response, 'forbidden');
  });

  it('begins no flow, even if an integration exists', async () => {
    const token = await createSession(app, { allowed_integrations: [KEY] });
    await mark(true);
    const address = `${app.url}/oauth/connect/${KEY}?connect_session_token=${token}`;
    expect((await fetch(address, { redirect: 'manual', headers: { accept: 'application/json' } })).status).to.equal(403);
  });

  it('completes no flow that began before', async () => {
    const { browser, page } = await openSandbox(app);
    await mark(true);
    expect((await decide(browser, page)).status).to.equal(403);
    const [again] = [await browser.visit(page.url)];
    expect(again.status).to.equal(403);
  });

  it('imports nothing', async () => {
    await mark(true);
    const credentials = { type: 'OAUTH2', access_token: 'anything' };
    expectError(await app.api.post('/connections', { provider_config_key: KEY, credentials }), 'forbidden');
  });

  it('neither serves nor refreshes an existing connection', async () => {
    const connected = await connectSandbox(app);
    await mark(true);
    const called = await throughProxy(app, connected, { path: '/me' });
    expect([called.status, called.body.error]).to.deep.equal([403, 'access_denied']);
    const before = await readConnection(app, connected);
    const after = await readConnection(app, connected, '&force_refresh=true');
    expect(after.body.credentials?.access_token ?? before.body.credentials.access_token).to.equal(
      before.body.credentials.access_token,
    );
  });
});

describe('the addresses of the sandbox', function () {
  const app = use(this, () => startApp());
  before(() => addSandbox(app));

  it('are not reachable over the network, except the page', async () => {
    for (const path of ['/token', '/revoke', '/api/me', '/api/notes', '/inbox/x', '/%61uthorize', '/authorize/../token'])
      expect((await fetch(`${app.url}/sandbox${path}`, { method: 'POST' })).status, path).to.be.oneOf([404, 405]);
  });

  it('are all that its connections reach, whatever path or base URL a call names', async () => {
    const connected = await connectSandbox(app);
    const targets = ['/..%2f..%2fhealth', '/..%252f..%252fhealth', '//health', '/;/health', '/%6de', '/me%00', '/me/'];
    for (const path of targets) {
      const { status } = await throughProxy(app, connected, { path });
      expect(status, path).to.be.oneOf([400, 404]);
    }
    for (const base of [app.url, `${app.url}/`, 'https://provider.example', 'http://localhost:1']) {
      const response = await throughProxy(app, connected, { path: '/health', headers: { 'base-url-override': base } });
      expectError(response, 'base_url_override_not_allowed');
    }
    const forged = { path: '/me', headers: { 'svc-proxy-x-forwarded-host': 'elsewhere.example' } };
    expect((await throughProxy(app, connected, forged)).status).to.equal(200);
  });
});

describe('calls inside the process', () => {
  const seen: string[] = [];
  const outbound = createOutbound({
    allow: [],
    resolve: async () => expect.fail('nothing is looked up'),
    dial: async () => expect.fail('nothing is dialled'),
    inside: {
      below: new URL(`${BASE}/sandbox/`),
      respond: (caller, { url = '' }, response) => {
        seen.push(`${caller} ${url}`);
        response.end('inside');
      },
    },
  });
  after(() => outbound[Symbol.asyncDispose]());

  it('are answered without the network, and carry the identity of the caller', async () => {
    for (const caller of ['1/a', '2/b', '1/a']) {
      const { body } = await outbound.inside(caller).call(`${BASE}/sandbox/token`, { headers: { host: 'elsewhere' } });
      expect(String(body)).to.equal('inside');
    }
    expect(seen).to.deep.equal(['1/a', '2/b', '1/a'].map((caller) => `${caller} /base/sandbox/token`));
  });

  const elsewhere = [
    `${BASE}/sandbox`,
    `${BASE}/sandbox/../health`,
    `${BASE}/sandbox/%2e%2e/health`,
    `${BASE}/sandbox\\..\\..\\health`,
    'https://svc.example/sandbox/token',
    'https://svc.example:8443/base/sandbox/token',
    'http://svc.example/base/sandbox/token',
    'https://svc.example.evil.example/base/sandbox/token',
    'https://user:pass@svc.example/base/sandbox/token',
    'https://svc.example.:443/base/sandbox/token',
    'http://127.0.0.1:3003/sandbox/token',
  ];
  for (const address of elsewhere) {
    it(`lead nowhere else: ${address}`, async () => {
      const fault = await outboundFault(outbound.inside('1/a').call(address));
      expect(fault.code).to.equal('address_not_allowed');
    });
  }

  it('are impossible unless they were configured', async () => {
    const refusing = createOutbound({ allow: [] });
    for (const call of [
      refusing.inside('1/a').call(`${BASE}/sandbox/token`),
      refusing.call('http://127.0.0.1:3003/sandbox/token'),
    ])
      expect((await outboundFault(call)).code).to.equal('address_not_allowed');
    await refusing[Symbol.asyncDispose]();
  });
});
