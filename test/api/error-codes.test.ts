import { expect } from 'chai';
import * as z from 'zod';
import { healthRoutes } from '../../core/api/health.ts';
import { diskFull } from '../../core/db/database-fault.ts';
import { ERROR_STATUS, type ErrorCode } from '../../core/errors.ts';
import { defineRaw, defineRoute } from '../../core/server/route.ts';
import { setHmacKey, setPublicKey } from '../../core/tenants/api-keys/public-key-store.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { createReconnectSession, createSession } from '../support/connect.ts';
import { withPassword } from '../support/dashboard/factors.ts';
import { dashboardClient, signedInAs } from '../support/dashboard/members.ts';
import { type CallOptions, type Client, type ClientResponse, client, readResponse } from '../support/http-client.ts';
import { startEdge } from '../support/http-edge.ts';
import { rawExchange } from '../support/raw-tcp.ts';
import { storeNames, World } from '../support/requests/world.ts';
import { expectError } from '../support/std-error.ts';
import { changeIntegrations, clientWith, storeConnection, storeIntegration } from '../support/stored.ts';
import { INVALID_GRANT } from '../support/token-responses.ts';
import { use } from '../support/use.ts';
import { deploy } from '../support/user-scripts.ts';

const PUBLIC_KEY = 'c7b1d8a2-7d0e-4bfa-a1a4-0f9e2a7a0c22';
const JSON_TYPE = { headers: { 'content-type': 'application/json' } };
const CONFIG = {
  authorization_url: 'https://auth.example/a',
  token_url: 'https://auth.example/t',
  api_base_url: 'https://api.example',
};

const SOMEBODY = { name: 'Ada', email: 'ada@acme.example', password: 'correct horse battery' };

interface Setting {
  readonly world: World;
  /** An installation that accepts the deprecated public key, and that allows one wrong credential a minute. */
  readonly legacy: World;
  readonly api: Client;
}

type Reach = (setting: Setting) => Promise<ClientResponse>;

/** For every error code, one way to cause it. */
const REACHED = {
  invalid_json: ({ api }) => api.post('/integrations', '{', JSON_TYPE),
  invalid_body: ({ api }) => api.post('/integrations', { surplus: 1 }),
  invalid_query_params: ({ api }) => api.get('/connections?surplus=1'),
  invalid_uri_params: ({ api }) => api.get('/logs/none'),
  invalid_headers: ({ api }) => api.get('/proxy/me'),
  connection_test_failed: async ({ world, api }) => {
    const config = { server: 'https://api.example' };
    await api.post('/integrations', { unique_key: 'refusing', provider: 'login', integration_config: config });
    world.provider.next('api', { response: { status: 401 } });
    return directly(world, 'refusing');
  },
  connection_validation_failed: async ({ world, api }) => {
    const key = await storeIntegration(api, 'judged');
    const source = 'export default async (svc) => { throw new svc.ScriptError("no"); };';
    await deploy(world.app, { event: 'validate-connection', source, key });
    return api.post('/connections', {
      provider_config_key: key,
      credentials: { type: 'OAUTH2', access_token: canary('imported token') },
    });
  },
  invalid_auth_mode: async ({ world }) => directly(world, await storeIntegration(world.app.api, 'oauth')),
  integration_not_allowed: async ({ world, api }) => {
    for (const key of ['one', 'two']) await storeIntegration(api, key);
    return visit(world, 'two', `connect_session_token=${await createSession(world.app, { allowed_integrations: ['one'] })}`);
  },
  missing_client_id: async ({ world, api }) => {
    await api.post('/integrations', { unique_key: 'bare', provider: 'generic-oauth', integration_config: CONFIG });
    return visit(world, 'bare', `connect_session_token=${await createSession(world.app)}`);
  },
  missing_hmac: ({ legacy }) => visit(legacy, 'any', `public_key=${PUBLIC_KEY}`),
  invalid_hmac: ({ legacy }) => visit(legacy, 'any', `public_key=${PUBLIC_KEY}&hmac=${'0'.repeat(64)}`),
  missing_api_url: async ({ world, api }) => {
    const { api_base_url: _, ...config } = CONFIG;
    await storeIntegration(api, 'homeless');
    await changeIntegrations(world.app, { integration_config: config }, 'homeless');
    return proxied(world, { key: 'homeless' });
  },
  address_not_allowed: async ({ world, api }) => {
    const config = { ...CONFIG, api_base_url: 'https://10.0.0.1' };
    await api.post('/integrations', { unique_key: 'inner', provider: 'generic-oauth', integration_config: config });
    return proxied(world, { key: 'inner' });
  },
  base_url_override_not_allowed: ({ world }) => proxied(world, { headers: { 'base-url-override': 'https://evil.example' } }),
  webhook_invalid_payload: ({ world }) => delivered(world, '['.repeat(1_000)),
  signed_out: ({ world }) => dashboardClient(world.app).get('/api/ui/me'),
  invalid_login: ({ world }) => dashboardClient(world.app).post('/api/ui/setup', { token: 'none', ...SOMEBODY }),
  password_needed: async ({ world }) => {
    const { ui, member } = await signedInAs(world.app, 'admin');
    await world.app.database.db('member_sessions').where({ member_id: member.id }).update({ confirmed_until: null });
    return ui.post('/api/ui/e/dev/connections/any/reveal?provider_config_key=any');
  },
  factor_needed: async () => {
    await using app = await startApp({ env: { SVC_REQUIRE_MFA: 'all' } });
    const { ui } = await withPassword(app);
    return ui.get('/api/ui/e/dev/connections');
  },
  webhook_missing_signature: ({ world }) => delivered(world, '{}', { secret: canary('webhook secret') }),
  webhook_invalid_signature: ({ world }) =>
    delivered(world, '{}', { secret: canary('webhook secret'), headers: { 'x-scheduler-signature-256': '0'.repeat(64) } }),
  missing_auth_header: ({ world }) => world.app.client().get('/connections'),
  malformed_auth_header: ({ world }) => world.app.client().get('/connections', { headers: { authorization: 'Basic a' } }),
  unknown_account: ({ world }) => world.app.client('nobody').get('/connections'),
  unknown_connect_session_token: ({ world }) => world.app.client(`svc_connect_session_${'0'.repeat(64)}`).get('/connect/session'),
  deprecated_authentication: ({ world }) => visit(world, 'any', `public_key=${PUBLIC_KEY}`),
  forbidden: async ({ world }) => (await clientWith(world.app, 'environment:logs:read')).get('/connections'),
  unknown_connection: async ({ world, api }) => {
    const { integration } = await storeNames(world.app);
    return api.get(`/connections/none?provider_config_key=${integration}`);
  },
  unknown_provider_config: ({ api }) => api.get('/integrations/none'),
  not_found: ({ api }) => api.get('/none'),
  method_not_allowed: ({ api }) => api.put('/connections', {}),
  request_timeout: async () => {
    await using edge = await startEdge([TAKES_A_BODY], { bodyDeadlineMs: 20 });
    const { text } = await edge.raw(`POST /body HTTP/1.1\r\nHost: a\r\n${JSON_HEAD}Content-Length: 2\r\n\r\n{`);
    return await parsed(text);
  },
  conflict: async ({ world, api }) => {
    const { integration } = await storeNames(world.app);
    return api.post('/integrations', { unique_key: integration, provider: 'github' });
  },
  idempotency_mismatch: async ({ api }) => {
    const headers = { 'idempotency-key': 'one' };
    await api.post('/connect/sessions', {}, { headers });
    return api.post('/connect/sessions', { tags: { one: 'two' } }, { headers });
  },
  wrong_account: async ({ world, api }) => {
    const key = 'identified';
    const config = { server: 'https://api.example' };
    await api.post('/integrations', { unique_key: key, provider: key, integration_config: config });
    const { connectionId } = (await directly(world, key)).body;
    const token = await createReconnectSession(world.app, { connectionId, key });
    world.provider.next('api', {}, { response: { status: 200, body: '{"id":"another"}' } });
    return directly(world, key, token);
  },
  payload_too_large: ({ api }) => api.post('/integrations', { padding: 'x'.repeat(2 ** 21) }),
  uri_too_long: ({ world }) => raw(world, `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`),
  invalid_content_type: ({ api }) => api.post('/integrations', 'a=b', { headers: { 'content-type': 'text/plain' } }),
  invalid_credentials: async ({ world, api }) => {
    const { integration, connectionId } = await storeNames(world.app);
    world.provider.next('token', INVALID_GRANT);
    return api.get(`/connections/${connectionId}?provider_config_key=${integration}&force_refresh=true`);
  },
  too_many_request: async ({ legacy }) => {
    await legacy.app.clock.nextMinute();
    const stranger = legacy.app.client('nobody');
    await stranger.get('/providers');
    return stranger.get('/providers');
  },
  headers_too_large: ({ world }) => raw(world, `GET /health HTTP/1.1\r\nHost: a\r\n${'A: b\r\n'.repeat(101)}\r\n`),
  server_error: async () => {
    await using edge = await startEdge([FAILS]);
    return await edge.as().get('/fails');
  },
  provider_unreachable: async ({ world, api }) => {
    const config = { ...CONFIG, api_base_url: 'https://nobody.example' };
    await api.post('/integrations', { unique_key: 'away', provider: 'generic-oauth', integration_config: config });
    return proxied(world, { key: 'away' });
  },
  provider_unavailable: async ({ world, api }) => {
    const { integration, connectionId } = await storeNames(world.app);
    await world.app.clock.advance(2 * 3_600_000, world.app.database.db);
    world.provider.next('token', { response: { status: 500 } }, { response: { status: 500 } });
    return api.get(`/connections/${connectionId}?provider_config_key=${integration}`);
  },
  draining: () => notReady('draining'),
  overloaded: async () => {
    await using edge = await startEdge([TAKES_BYTES], { bodyWaitMs: 50 });
    const head = `POST /bytes HTTP/1.1\r\nHost: a\r\nContent-Length: ${LARGE_BYTES}\r\n\r\n`;
    const holding = edge.raw(head, 3_000);
    const response = await edge.raw(head);
    await holding;
    return parsed(response.text);
  },
  storage_unavailable: () => notReady('database_unreachable'),
  storage_full: async () => {
    await using edge = await startEdge([FULL_DISK]);
    return await client(edge.url).get('/full');
  },
  provider_timeout: async ({ world }) => {
    world.provider.next('api', { delivery: 'hang' });
    return proxied(world, { headers: { 'svc-timeout': '1' } });
  },
} as const satisfies Readonly<Record<ErrorCode, Reach>>;

interface Delivery {
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a delivery as the provider. @returns the response that the provider gets */
async function delivered({ app }: World, body: string, { secret, headers = {} }: Delivery = {}): Promise<ClientResponse> {
  const { environmentUuid, receiver } = await storeNames(app);
  if (secret !== undefined) await app.api.patch(`/integrations/${receiver}`, { credentials: { webhook_secret: secret } });
  return app.client().post(`/webhook/${environmentUuid}/${receiver}`, body, { headers });
}

const JSON_HEAD = 'Content-Type: application/json\r\n';
const described = { access: 'public', tag: 'Test', summary: 'A route', responses: { 200: { description: 'Done.' } } } as const;
const TAKES_A_BODY = defineRoute({ ...described, method: 'POST', path: '/body', body: z.unknown(), handle: async () => ({}) });
const LARGE_BYTES = 17 * 1024 * 1024;
const TAKES_BYTES = defineRaw({
  ...described,
  method: 'POST',
  path: '/bytes',
  params: z.strictObject({}),
  maxBodyBytes: LARGE_BYTES,
  handle: async (_: unknown, { body }) => ({ body: { length: (await body.readBody()).bytes.length } }),
});
const FULL_DISK = defineRoute({
  ...described,
  method: 'GET',
  path: '/full',
  handle: async () => {
    throw diskFull(new Error('could not extend file'));
  },
});
const FAILS = defineRoute({
  ...described,
  method: 'GET',
  path: '/fails',
  handle: async () => {
    throw new TypeError('select secret from postgres at /srv/core/db.ts');
  },
});

function visit({ app }: World, key: string, query: string): Promise<ClientResponse> {
  return app.client().get(`/oauth/connect/${key}?${query}`);
}

async function directly({ app }: World, key: string, token?: string): Promise<ClientResponse> {
  const body = { username: 'ada', password: canary('password') };
  return app.client().post(`/api-auth/basic/${key}?connect_session_token=${token ?? (await createSession(app))}`, body);
}

async function proxied(
  { app }: World,
  { key, headers }: { key?: string } & Pick<CallOptions, 'headers'>,
): Promise<ClientResponse> {
  const { connectionId, integration } = await storeNames(app);
  const named = key === undefined ? { connectionId, key: integration } : await storeConnection(app, { key });
  return app.api.get('/proxy/api/me', {
    headers: { 'provider-config-key': named.key, 'connection-id': named.connectionId, ...headers },
  });
}

async function raw({ app }: World, bytes: string): Promise<ClientResponse> {
  return parsed((await rawExchange(Number(new URL(app.url).port), bytes)).bytes.toString());
}

/** Parses the text of an HTTP response as it was received from the socket. */
function parsed(text: string): Promise<ClientResponse> {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
  return readResponse(new Response(body, { status: Number(first.split(' ')[1]), headers }));
}

async function notReady(reason: string): Promise<ClientResponse> {
  await using edge = await startEdge(healthRoutes, { readiness: async () => ({ ready: false, reasons: [reason] }) });
  return await client(edge.url).get('/ready');
}

describe('the body of an error', function () {
  const world = use(this, () => World.open());
  const legacy = use(this, () => World.open({ SVC_LEGACY_PUBLIC_KEY: 'on', SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '1' }));

  before(async () => {
    await setPublicKey(legacy.app.services.db, 1, PUBLIC_KEY);
    await setHmacKey(legacy.app.services, 1, canary('HMAC key'));
  });

  for (const [code, reach] of Object.entries(REACHED) as [ErrorCode, Reach][]) {
    it(`has a code, a message, sometimes errors, and nothing else: ${code} with ${ERROR_STATUS[code]}`, async () => {
      const response = await reach({ world, legacy, api: world.app.api });
      expectError(response, code);
      const { error } = response.body;
      expect(error.message).to.be.a('string').and.not.to.equal('');
      for (const detail of error.errors ?? []) {
        expect(Object.keys(detail).sort()).to.deep.equal(['code', 'message', 'path']);
        expect(detail.path.every((part: unknown) => typeof part === 'string')).to.equal(true);
      }
    });
  }
});
