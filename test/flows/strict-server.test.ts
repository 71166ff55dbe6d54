import { createPublicKey, X509Certificate } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'chai';
import type { ClientMetadata } from 'oidc-provider';
import { startApp, type TestApp } from '../support/app.ts';
import { connectionsOf, enter, finish, type Returning } from '../support/authorization.ts';
import { rsaCertificate } from '../support/client-certificates.ts';
import { type Connected, connectUrl, createSession, mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import { NOTES_RESOURCE } from '../support/honest-provider/configuration.ts';
import { walkConsent } from '../support/honest-provider/consent.ts';
import { startHonestProvider } from '../support/honest-provider/honest-provider.ts';
import { PAIR_OF, PAIRS, pemOf } from '../support/signing-keys.ts';
import { expectError } from '../support/std-error.ts';
import { localhostIdentity } from '../support/tls-identity.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

const ALGORITHMS = ['ES256', 'PS256', 'EdDSA'] as const;
const CERTIFIED = 'certified';
const ISSUER = { type: 'string', title: 'Issuer', format: 'uri' };
const BASE = {
  docs: 'https://docs.example',
  issuer: '${integrationConfig.issuer}',
  default_scopes: ['notes'],
  integration_config: { issuer: ISSUER },
  proxy: { base_url: '${integrationConfig.issuer}/api' },
};
const RESOURCE = { resource: NOTES_RESOURCE };
const PEM = { type: 'string', title: 'PEM', hidden: false };

/** Provider definitions that name only the server's issuer; the service reads everything else from its metadata. */
const DEFINITIONS: Readonly<Record<string, object>> = {
  // This definition does not read the lifetime that token responses state, so the expiry is unknown.
  silent: { ...BASE, auth_mode: 'OAUTH2', token_response: { token: 'access_token', refresh_token: 'refresh_token' } },
  // With this definition, authorization and token requests name the API that the tokens are for.
  named: {
    ...BASE,
    auth_mode: 'OAUTH2',
    authorization_params: RESOURCE,
    token_params: RESOURCE,
    refresh_params: RESOURCE,
  },
  // This definition names the endpoint that reports which account was connected.
  open: { ...BASE, auth_mode: 'OAUTH2', default_scopes: ['openid', 'notes'], userinfo_url: '${integrationConfig.issuer}/me' },
  [CERTIFIED]: {
    ...BASE,
    auth_mode: 'OAUTH2_CC',
    token_request_auth_method: 'tls_client_auth',
    credentials: { client_certificate: PEM, client_private_key: { ...PEM, secret: true } },
  },
  ...Object.fromEntries(
    ALGORITHMS.map((algorithm) => [
      nameOf(algorithm),
      { ...BASE, auth_mode: 'OAUTH2', token_request_auth_method: 'private_key_jwt', client_assertion: { algorithm } },
    ]),
  ),
};

function nameOf(algorithm: string): string {
  return `keyed-${algorithm.toLowerCase()}`;
}

function pairOf(algorithm: (typeof ALGORITHMS)[number]) {
  return PAIRS[PAIR_OF[algorithm] ?? 'rsa'];
}

function folders() {
  const files = Object.entries(DEFINITIONS).map(([slug, definition]) => [
    `${slug}/provider.json`,
    JSON.stringify({ display_name: slug, ...definition }),
  ]);
  return makeFolders(Object.fromEntries(files));
}

/** Returns the registrations of clients that authenticate with a private key, one for each signing algorithm. */
function keyClients(redirectUri: string): ClientMetadata[] {
  return ALGORITHMS.map((algorithm) => ({
    client_id: nameOf(algorithm),
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: algorithm,
    jwks: { keys: [createPublicKey(pairOf(algorithm).privateKey).export({ format: 'jwk' })] },
  }));
}

describe('a strict server of which only the issuer is configured (OAU-11)', function () {
  this.timeout(30_000);
  const files = use(this, folders);
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: files.path } }));
  const redirectUri = () => `${app.url}/oauth/callback`;
  const server = use(this, () => startHonestProvider({ redirectUris: [redirectUri()], clients: keyClients(redirectUri()) }));

  before(async () => {
    const { clientId: client_id, clientSecret: client_secret } = server.clients.body;
    const secret = { client_id, client_secret };
    await integrate('generic', 'generic-oauth', { ...secret, scopes: 'notes' }, { api_base_url: `${server.url}/api` });
    await integrate('silent', 'silent', secret);
    await integrate('named', 'named', secret);
    await integrate('open', 'open', secret);
    await integrate('discovered', 'generic-oauth', { ...secret, scopes: 'openid,notes' }, { api_base_url: `${server.url}/api` });
    for (const algorithm of ALGORITHMS) {
      const name = nameOf(algorithm);
      await integrate(name, name, { client_id: name, private_key: pemOf(pairOf(algorithm)) });
    }
  });

  async function integrate(key: string, provider: string, credentials: object, config: object = {}): Promise<void> {
    const integration_config = { issuer: server.url, ...config };
    mustBe(200, await app.api.post('/integrations', { unique_key: key, provider, credentials, integration_config }));
  }

  async function walk(key: string): Promise<Returning> {
    const walker = new WebWalker();
    const { headers, text } = await enter(app, { key, walker });
    const location = headers.get('location') ?? expect.fail(text);
    expect(new URL(location).origin).to.equal(server.url);
    return { walker, callback: new URL(await walkConsent(walker, location)) };
  }

  async function connect(key: string): Promise<Connected> {
    const page = await finish(await walk(key));
    expect(page.status, page.text).to.equal(200);
    return { connectionId: (await connectionsOf(app))[0]?.connection_id ?? '', key };
  }

  async function statusOf(connected: Connected): Promise<number> {
    return (await throughProxy(app, connected, { path: '/notes' })).status;
  }

  for (const key of ['generic', ...ALGORITHMS.map(nameOf)]) {
    it(`authorizes, refreshes with rotation, and revokes: ${key}`, async () => {
      const connected = await connect(key);
      const tokens = new Set<string>();
      for (let round = 0; round < 3; round += 1) {
        const { body } = await readConnection(app, connected, '&refresh_token=true&force_refresh=strict');
        tokens.add(body.credentials.refresh_token);
        expect(await statusOf(connected)).to.equal(200);
      }
      expect(tokens.size).to.equal(3);
      const { access_token } = (await readConnection(app, connected)).body.credentials;
      const { connectionId } = connected;
      mustBe(200, await app.api.delete(`/connections/${connectionId}?provider_config_key=${key}`));
      const call = await fetch(`${server.url}/api/notes`, { headers: { authorization: `Bearer ${access_token}` } });
      expect(call.status, 'the status for the revoked token').to.equal(401);
    });
  }

  it('says when a token expires if its response does not (RFC 7662)', async () => {
    const connected = await connect('silent');
    for (const query of ['', '&force_refresh=strict']) {
      const { body } = await readConnection(app, connected, query);
      expect(Date.parse(body.credentials.expires_at) - Date.now()).to.be.within(3_500_000, 3_605_000);
    }
  });

  for (const [key, account] of [
    ['open', { id: 'ada' }],
    ['discovered', { id: 'ada' }],
    ['generic', null],
  ] as const) {
    it(`says whose account it is if the scopes allow that (OpenID Connect): ${key}`, async () => {
      const { connectionId } = await connect(key);
      const { body } = await app.api.get(`/connections/${connectionId}/health?provider_config_key=${key}`);
      expect(body.data.provider_account).to.deep.equal(account);
    });
  }

  for (const [what, iss] of [
    ['no issuer', undefined],
    ['another issuer', 'https://other.example'],
  ] as const) {
    it(`gets no code from a callback with ${what}, since it promises to state its own`, async () => {
      const before = await connectionsOf(app);
      expect((await finish(await walk('generic'), { iss })).status).to.equal(400);
      expect(await connectionsOf(app)).to.have.length(before.length);
    });
  }

  it('issues tokens for one API, also at a refresh (RFC 8707)', async () => {
    const connected = await connect('named');
    for (const query of ['', '&force_refresh=strict']) {
      const { access_token: token } = (await readConnection(app, connected, query)).body.credentials;
      const { clientId: client_id, clientSecret: client_secret } = server.clients.body;
      const body = new URLSearchParams({ token, client_id, client_secret });
      const response = await fetch(`${server.url}/token/introspection`, { method: 'POST', body });
      expect(await response.json()).to.include({ active: true, aud: NOTES_RESOURCE });
    }
  });

  it('needs an issuer if its URLs are not configured', async () => {
    const integration = { unique_key: 'unnamed', provider: 'generic-oauth', integration_config: { api_base_url: server.url } };
    const response = await app.api.post('/integrations', integration);
    expectError(response, 'invalid_body');
    expect(response.text).to.include('Authorization URL is required').and.to.include('Token URL is required');
  });
});

describe('a server that cannot be reached when an authorization begins', () => {
  it('begins no flow, and is asked again next time', async () => {
    await using app = await startApp();
    const redirectUris = [`${app.url}/oauth/callback`];
    const { url, port } = await (async () => {
      await using gone = await startHonestProvider({ redirectUris });
      return { url: gone.url, port: Number(new URL(gone.url).port) };
    })();
    const integration_config = { issuer: url, api_base_url: `${url}/api` };
    const credentials = { client_id: 'svc-body', client_secret: 'secret' };
    const integration = { unique_key: 'away', provider: 'generic-oauth', credentials, integration_config };
    mustBe(200, await app.api.post('/integrations', integration));
    const begin = async () => app.client().get(connectPath(app, await createSession(app)));
    expectError(await begin(), 'provider_unavailable');
    expect(await app.database.db('authorization_flows').select('id')).to.deep.equal([]);

    await using _back = await startHonestProvider({ redirectUris, port });
    expect((await begin()).status).to.equal(302);
  });

  function connectPath(app: TestApp, token: string): string {
    return connectUrl(app, { key: 'away', token }).slice(app.url.length);
  }
});

describe('a strict server that knows its clients by their certificates (RFC 8705)', function () {
  this.timeout(30_000);
  const trusted = getCACertificates('default');
  before(() => setDefaultCACertificates([...trusted, localhostIdentity.cert]));
  after(() => setDefaultCACertificates(trusted));
  const files = use(this, folders);
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: files.path, SVC_OUTBOUND_ALLOW: '127.0.0.1/32,localhost' } }));
  const server = use(this, () => startHonestProvider({ redirectUris: [], tls: true, clients: [certifiedClient()] }));

  function certifiedClient(): ClientMetadata {
    const { certificate } = rsaCertificate;
    const key = createPublicKey(certificate).export({ format: 'jwk' });
    return {
      client_id: CERTIFIED,
      redirect_uris: [],
      response_types: [],
      grant_types: ['client_credentials'],
      scope: 'notes',
      token_endpoint_auth_method: 'self_signed_tls_client_auth',
      tls_client_certificate_bound_access_tokens: true,
      jwks: { keys: [{ ...key, x5c: [new X509Certificate(certificate).raw.toString('base64')] }] },
    };
  }

  it('issues a token that is bound to the certificate, and accepts it with that certificate only', async () => {
    const integration_config = { issuer: server.url };
    mustBe(200, await app.api.post('/integrations', { unique_key: CERTIFIED, provider: CERTIFIED, integration_config }));
    const session = await createSession(app, { allowed_integrations: [CERTIFIED] });
    const { certificate: client_certificate, privateKey: client_private_key } = rsaCertificate;
    const body = { client_id: CERTIFIED, client_certificate, client_private_key };
    const response = await app.client().post(`/oauth2/auth/${CERTIFIED}?connect_session_token=${session}`, body);
    mustBe(200, response);
    const connected = { connectionId: response.body.connectionId, key: CERTIFIED };
    expect((await throughProxy(app, connected, { path: '/notes' })).status).to.equal(200);
    const { token } = (await readConnection(app, connected, '&force_refresh=strict')).body.credentials;
    expect((await throughProxy(app, connected, { path: '/notes' })).status).to.equal(200);
    const stolen = await fetch(`${server.url}/api/notes`, { headers: { authorization: `Bearer ${token}` } });
    expect(stolen.status).to.equal(401);
  });
});
