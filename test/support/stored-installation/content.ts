import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { verifyAudit } from '../../../core/journal/audit-trail/verify.ts';
import type { TestApp } from '../app.ts';
import { rememberSecret } from '../canaries.ts';
import { mustBe } from '../connect.ts';
import { quickHash } from '../dashboard/factors.ts';
import { changeStoredMember, dashboardClient, signedInAs } from '../dashboard/members.ts';
import { APPLICATION, PROVIDER } from './world.ts';

/** The secrets that give access to a stored installation, and secrets that it contains. All of them are fictitious. */
export interface Content {
  readonly encryptionKeys: string;
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
  /** The refresh token of the connection `oauth` when it was stored. */
  readonly refreshToken: string;
  /** The API key of the connection `key`. */
  readonly providerKey: string;
}

/**
 * The path of the script that runs for new connections of `oauth`. A stored installation contains a run of it that has not
 * started.
 */
export const SCRIPT_PATH = '/integrations/oauth/scripts/post-connection-creation';
const SCRIPT = "export default async (svc) => { svc.log((await svc.getVariable('REGION')) ?? 'none'); };";
const VARIABLE = { name: 'REGION', value: 'a value of a variable' };

/** Stores something of every kind, through the same API that users call. */
export async function fill(app: TestApp): Promise<Content> {
  const { api, services } = app;
  const boss = await signedInAs(app, 'admin');
  const password = rememberSecret('password of a member', 'the password of a stored member');
  await changeStoredMember(services, boss.member.id, { password: quickHash(password) });
  const providerKey = rememberSecret('API key at the provider', 'the key of a stored connection');
  const refreshToken = rememberSecret('refresh token', 'the-refresh-token-of-a-stored-connection');
  const accessToken = rememberSecret('access token', 'the-access-token-of-a-stored-connection');
  mustBe(200, await boss.ui.patch('/api/ui/e/dev/settings', { webhook_url: `${APPLICATION}/hook`, on_new_connection: true }));
  mustBe(204, await boss.ui.put(`/api/ui/e/dev/variables/${VARIABLE.name}`, { value: VARIABLE.value }));
  for (const body of [
    {
      unique_key: 'oauth',
      provider: 'generic-oauth',
      credentials: { type: 'OAUTH2', client_id: 'id', client_secret: 'the secret of a stored client', scopes: 'read' },
      integration_config: { authorization_url: `${PROVIDER}/authorize`, token_url: `${PROVIDER}/token`, api_base_url: PROVIDER },
    },
    {
      unique_key: 'key',
      provider: 'generic-api-key',
      integration_config: { api_base_url: PROVIDER, key_name: 'authorization', key_prefix: 'Bearer' },
    },
  ])
    mustBe(200, await api.post('/integrations', body));
  mustBe(200, await api.put(SCRIPT_PATH, { source: SCRIPT, language: 'typescript' }));
  for (const [key, credentials] of [
    ['oauth', { type: 'OAUTH2', access_token: accessToken, refresh_token: refreshToken, expires_at: '2026-11-28T00:00:00Z' }],
    ['key', { type: 'API_KEY', apiKey: providerKey }],
  ] as const)
    mustBe(
      200,
      await api.post('/connections', { provider_config_key: key, connection_id: key, credentials, tags: { plan: 'pro' } }),
    );
  const { apiKey, encryptionKeys } = app;
  return { encryptionKeys, apiKey, email: boss.member.email, password, refreshToken, providerKey };
}

/**
 * Asserts that everything that `fill` stored, in whichever release, still exists and can be used, and that more can be stored.
 */
export async function check(app: TestApp, content: Content): Promise<void> {
  const api = app.client(content.apiKey);
  const listed = (await api.get('/connections')).body.connections.map((one: { connection_id: string }) => one.connection_id);
  expect(listed).to.include.members(['oauth', 'key']);
  const fresh = await api.get('/connections/oauth?provider_config_key=oauth&force_refresh=true');
  expect([fresh.status, fresh.body.credentials?.access_token], fresh.text).to.deep.equal([
    200,
    rememberSecret('access token', fresh.body.credentials.access_token),
  ]);
  for (const [key, authorization] of [
    ['oauth', `Bearer ${fresh.body.credentials.access_token}`],
    ['key', `Bearer ${content.providerKey}`],
  ] as const) {
    const called = await api.get('/proxy/me', { headers: { 'provider-config-key': key, 'connection-id': key } });
    expect(called.body, called.text).to.deep.equal({ authorization });
  }
  const created = await api.post('/connections', {
    provider_config_key: 'key',
    connection_id: randomUUID(),
    credentials: { type: 'API_KEY', apiKey: content.providerKey },
  });
  expect(created.status, created.text).to.equal(200);
  expect((await api.get('/environment-variables')).body).to.deep.equal([VARIABLE]);
  const signedIn = await dashboardClient(app).post('/api/ui/login', { email: content.email, password: content.password });
  expect(signedIn.status, signedIn.text).to.equal(200);
  expect((await verifyAudit(app.services)).broken).to.equal(undefined);
}
