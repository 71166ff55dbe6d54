import type { JsonObject } from '#contract';
import type { StoredCredentials } from '../../core/auth-modes/auth-mode.ts';
import type { StoredOAuth2 } from '../../core/auth-modes/oauth2/stored.ts';
import type { StoredAccount } from '../../core/connections/connection.ts';
import { insertConnection } from '../../core/connections/connection-store.ts';
import type { IntegrationRow } from '../../core/connections/integrations/integration-row.ts';
import { integrationByKey, integrationStatement } from '../../core/connections/integrations/integration-store.ts';
import { writeMissingRefreshes } from '../../core/credentials/due-store.ts';
import { newConnectionId } from '../../core/kit/random-id.ts';
import { createKey } from '../../core/tenants/api-keys/api-keys.ts';
import { createAccount } from '../../core/tenants/environments/bootstrap.ts';
import { insertEnvironment } from '../../core/tenants/environments/environment-store.ts';
import type { TestApp } from './app.ts';
import { canary, rememberSecret } from './canaries.ts';
import type { Connected } from './connect.ts';
import type { Client } from './http-client.ts';

/** Creates an API key with exactly these scopes. @returns its ID and the secret */
export async function storeKey(
  app: TestApp,
  scopes: readonly string[],
  environmentId: number = app.environmentId,
): Promise<{ readonly id: number; readonly secret: string }> {
  const owner = { accountId: app.accountId, environmentId };
  const { id, secret } = await createKey(app.services, owner, { name: newConnectionId(), scopes });
  return { id, secret: rememberSecret('API key', secret) };
}

/**
 * Changes the rows of integrations in ways that no API request can, and gives each row the authentication code of its new
 * content.
 *
 * @param key the key of the only integration to change; default: all are changed
 */
export async function changeIntegrations(app: TestApp, change: Readonly<Record<string, unknown>>, key?: string): Promise<void> {
  const { db, keys } = app.services;
  const all = db('integrations');
  await (key === undefined ? all : all.where({ unique_key: key })).update(change);
  for (const row of await db<IntegrationRow>('integrations'))
    await db('integrations')
      .where({ id: row.id })
      .update({ mac: keys.authenticate(integrationStatement(row)) });
}

/** Returns a client whose API key has exactly these scopes. */
export async function clientWith(app: TestApp, ...scopes: string[]): Promise<Client> {
  return app.client((await storeKey(app, scopes)).secret);
}

/** Creates another account with its environment `dev`. @returns its account key */
export async function storeAccount(app: TestApp): Promise<string> {
  const { accountKey } = await createAccount(app.services, newConnectionId());
  return rememberSecret('account key', accountKey);
}

export interface Tenant {
  readonly environmentId: number;
  readonly apiKey: string;
  readonly api: Client;
}

/** Creates another environment of the same account, with a full-access key. */
export async function storeTenant(app: TestApp, name: string): Promise<Tenant> {
  const { id } = await insertEnvironment(app.services.db, { accountId: app.accountId, name });
  const { secret } = await storeKey(app, ['environment:*'], id);
  return { environmentId: id, apiKey: secret, api: app.client(secret) };
}

/** Registers an integration of `generic-oauth` whose addresses are never called. */
export function storeIntegration(api: Client, key: string): Promise<string> {
  const credentials = { client_id: 'client', client_secret: canary('client secret') };
  return store(api, { unique_key: key, provider: 'generic-oauth', credentials });
}

/** Registers an integration whose provider sends webhooks, which are accepted unsigned. */
export function storeReceiver(api: Client, key = newConnectionId()): Promise<string> {
  return store(api, { unique_key: key, provider: 'scheduling' });
}

/** Registers an integration whose settings come from its end users. The service publishes OAuth client metadata for it. */
export async function storeDescribedClient(api: Client, key = newConnectionId()): Promise<string> {
  const response = await api.post('/integrations', { unique_key: key, provider: 'generic-mcp' });
  if (response.status !== 200) throw new Error(`the integration was not created: ${response.text}`);
  return key;
}

async function store(
  api: Client,
  integration: { readonly unique_key: string; readonly provider: string; readonly credentials?: object },
): Promise<string> {
  const response = await api.post('/integrations', {
    ...integration,
    integration_config: {
      authorization_url: 'https://auth.example/authorize',
      token_url: 'https://auth.example/token',
      api_base_url: 'https://api.example',
    },
  });
  if (response.status !== 200) throw new Error(`the integration was not created: ${response.text}`);
  return integration.unique_key;
}

interface ConnectionOptions {
  readonly key: string;
  readonly connectionId?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly environmentId?: number;
  readonly providerAccount?: StoredAccount;
  /** Default: OAuth 2 tokens. */
  readonly credentials?: StoredCredentials;
  readonly connectionConfig?: JsonObject;
  /** Default: null. */
  readonly clientFingerprint?: string | null;
}

/** Stores a connection without authorizing it at a provider. By default, its tokens are valid for an hour. */
export async function storeConnection(app: TestApp, options: ConnectionOptions): Promise<Connected> {
  const { key, connectionId = newConnectionId(), tags = {}, environmentId = app.environmentId, ...more } = options;
  const integration = await integrationByKey(app.services, environmentId, key);
  if (integration === undefined) throw new Error(`there is no integration ${key}`);
  const tokens = { accessToken: canary('stored access token'), refreshToken: canary('stored refresh token') };
  const now = Date.now();
  await insertConnection(app.services, {
    environmentId,
    integrationId: integration.id,
    connectionId,
    credentials: {
      type: 'OAUTH2',
      ...tokens,
      expiresAt: new Date(now + 3_600_000).toISOString(),
      receivedAt: new Date(now).toISOString(),
      raw: {
        access_token: tokens.accessToken,
        refresh_token: tokens.refreshToken,
        nested: { refreshToken: tokens.refreshToken },
      },
    } as StoredOAuth2,
    connectionConfig: {},
    tags,
    clientFingerprint: null,
    endUser: null,
    webhookUrlOverride: null,
    ...more,
  });
  await writeMissingRefreshes(app.services.db, environmentId, { marginSeconds: 900, proofHours: null });
  return { connectionId, key };
}
