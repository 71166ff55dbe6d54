import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary, rememberSecret } from '../support/canaries.ts';
import { type Connected, mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { refreshDue } from '../support/due-work.ts';
import { makeFolders } from '../support/folders.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { type LoopbackServer, serve } from '../support/loopback-server.ts';
import { importableOf } from '../support/mode-providers.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { use } from '../support/use.ts';

const HOUR = 3_600_000;
const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();

const COMMON = {
  docs: 'https://docs.example.com',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  proxy: { base_url: '${integrationConfig.server}/api' },
};
const PROVIDERS = {
  'client/provider.json': {
    ...COMMON,
    display_name: 'Client',
    auth_mode: 'OAUTH2_CC',
    token_url: '${integrationConfig.server}/token',
  },
  'installed/provider.json': {
    ...COMMON,
    display_name: 'Installed',
    auth_mode: 'APP',
    token_url: '${integrationConfig.server}/token/${connectionConfig.installation_id}',
  },
  'static/provider.json': { ...COMMON, display_name: 'Static', auth_mode: 'BASIC' },
};

const MODES = {
  OAUTH2_CC: { key: 'client', member: 'token', refused: { status: 401, body: { error: 'invalid_client' } } },
  APP: { key: 'installed', member: 'access_token', refused: { status: 404, body: { message: 'Not Found' } } },
} as const;

/** A provider that issues tokens and accepts only the latest one. */
class Issuer {
  readonly issued: string[] = [];
  calls = 0;
  fault: { readonly status: number; readonly body: object } | undefined;

  start(): Promise<LoopbackServer> {
    return serve((request, response) => {
      const { status, body } =
        request.url?.startsWith('/token') === true ? this.#issue() : this.#serve(request.headers.authorization);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }

  #issue(): { status: number; body: object } {
    this.calls += 1;
    if (this.fault !== undefined) return this.fault;
    const token = canary('issued token');
    this.issued.push(token);
    const expires_at = new Date(Date.now() + HOUR).toISOString();
    return { status: 200, body: { access_token: token, token, expires_in: 3600, expires_at, refresh_token: canary('unused') } };
  }

  #serve(authorization = ''): { status: number; body: object } {
    return { status: authorization === `Bearer ${this.issued.at(-1)}` ? 200 : 401, body: {} };
  }
}

describe('credentials that are refreshed without the user', function () {
  this.timeout(30_000);
  const issuer = new Issuer();
  const server = use(this, () => issuer.start());
  const folders = use(this, () =>
    makeFolders(Object.fromEntries(Object.entries(PROVIDERS).map(([name, text]) => [name, JSON.stringify(text)]))),
  );
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));

  before(async () => {
    const integration_config = { server: server.url };
    const apps = { installed: { credentials: { client_id: '4711', client_secret: rememberSecret('app key', pem) } } };
    for (const key of ['client', 'installed', 'static'] as const) {
      const own = key === 'installed' ? apps.installed : {};
      mustBe(200, await app.api.post('/integrations', { unique_key: key, provider: key, integration_config, ...own }));
    }
  });
  beforeEach(() => {
    issuer.fault = undefined;
    issuer.calls = 0;
  });

  async function importOne(mode: keyof typeof MODES | 'BASIC', expires_at?: string): Promise<Connected> {
    const key = mode === 'BASIC' ? 'static' : MODES[mode].key;
    const credentials = { ...importableOf(mode), ...(expires_at !== undefined && { expires_at }) };
    const response = await app.api.post('/connections', { provider_config_key: key, credentials });
    mustBe(200, response);
    issuer.calls = 0;
    return { connectionId: response.body.connection_id, key };
  }

  const passed = (hours: number) => app.clock.advance(hours * HOUR, app.database.db);

  function expectRefused(response: ClientResponse): void {
    expect([response.status, response.body.error.code]).to.deep.equal([424, 'invalid_credentials']);
  }

  for (const [name, { member, refused }] of Object.entries(MODES)) {
    const mode = name as keyof typeof MODES;

    it(`are replaced when they have expired: ${mode}`, async () => {
      const connected = await importOne(mode);
      await passed(2);
      const [one, other] = await Promise.all([readConnection(app, connected), readConnection(app, connected)]);
      expect(one.body.credentials[member]).to.equal(issuer.issued.at(-1));
      expect(other.body.credentials).to.deep.equal(one.body.credentials);
      expect(issuer.calls).to.equal(1);
      expect(JSON.stringify(one.body.credentials.raw)).to.not.include('refresh');
      expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(200);
    });

    it(`are replaced on request and when the API refuses them: ${mode}`, async () => {
      const connected = await importOne(mode);
      const forced = await readConnection(app, connected, '&force_refresh=true');
      expect(forced.body.credentials[member]).to.equal(issuer.issued.at(-1));
      await passed(0.1);
      issuer.issued.push('revoked');
      expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(200);
      expect(issuer.calls).to.equal(2);
    });

    it(`are kept fresh although nobody uses them: ${mode}`, async () => {
      const connected = await importOne(mode);
      await passed(25);
      await refreshDue(app.services);
      const { generation, state } = await storedConnection(app.database.db, connected);
      expect({ generation, state }).to.deep.equal({ generation: 2, state: 'healthy' });
    });

    it(`need the user when the provider refuses to replace them, but not when it fails: ${mode}`, async () => {
      const connected = await importOne(mode);
      await passed(2);
      issuer.fault = { status: 503, body: {} };
      expect((await readConnection(app, connected)).status).to.equal(503);
      await passed(1);
      issuer.fault = refused;
      expectRefused(await readConnection(app, connected));
      issuer.fault = undefined;
      expectRefused(await readConnection(app, connected));
      mustBe(200, await readConnection(app, connected, '&force_refresh=true'));
    });
  }

  it('stay as they were imported until they expire', async () => {
    const connected = await importOne('OAUTH2_CC');
    const [first, later] = [await readConnection(app, connected), await readConnection(app, connected)];
    expect(later.body.credentials).to.deep.equal(first.body.credentials);
    expect(issuer.issued).to.not.include(first.body.credentials.token);
    expect(issuer.calls).to.equal(0);
  });

  it('are never refreshed if they do not expire', async () => {
    const connected = await importOne('BASIC');
    await passed(1000);
    const plain = await readConnection(app, connected);
    const forced = await readConnection(app, connected, '&force_refresh=true');
    expect([plain.status, forced.status]).to.deep.equal([200, 200]);
    expect(forced.body.credentials).to.deep.equal(plain.body.credentials);
    expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(401);
    expect(await storedConnection(app.database.db, connected)).to.include({ generation: 1, state: 'healthy' });
    expect(issuer.calls).to.equal(0);
  });
});
