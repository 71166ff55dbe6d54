import { setTimeout as wait } from 'node:timers/promises';
import { walkConsent } from '../../test/support/honest-provider/consent.ts';
import type { ClientResponse } from '../../test/support/http-client.ts';
import { WebWalker } from '../../test/support/web-walker.ts';
import { ACCESS_TOKEN_TTL_SECONDS, type World } from './world.ts';

const INTEGRATION = 'notes';
const USER = 'user-1';
const POLL_MS = 500;
const QUERY = `provider_config_key=${INTEGRATION}`;

export async function createIntegration({ service, provider }: World): Promise<void> {
  const { clientId, clientSecret } = provider.clients.basic;
  const response = await service.post('/integrations', {
    unique_key: INTEGRATION,
    provider: 'generic-oauth',
    display_name: 'Notes',
    credentials: { type: 'OAUTH2', client_id: clientId, client_secret: clientSecret, scopes: 'notes' },
    integration_config: {
      authorization_url: `${provider.url}/auth`,
      token_url: `${provider.url}/token`,
      api_base_url: provider.url,
      issuer: provider.url,
      token_request_auth_method: 'basic',
    },
  });
  expectStatus(response, 200);
}

/** @returns the link for the user, a page of the service; the session token stands in its fragment */
export async function createConnectLink({ service }: World): Promise<string> {
  const response = await service.post('/connect/sessions', { tags: { end_user_id: USER }, allowed_integrations: [INTEGRATION] });
  expectStatus(response, 201);
  return response.body.data.connect_link;
}

/** Does what the user's browser would do: goes where the page's button leads, allows access, comes back. */
export async function connectHeadlessly(connectLink: string): Promise<void> {
  const { origin, hash } = new URL(connectLink);
  const browser = new WebWalker();
  expectStatus(await browser.visit(connectLink), 200);
  const toProvider = await browser.visit(`${origin}/oauth/connect/${INTEGRATION}?connect_session_token=${hash.slice(1)}`);
  expectStatus(toProvider, 302);
  const callback = await walkConsent(browser, toProvider.headers.get('location') ?? '');
  expectStatus(await browser.visit(callback), 200);
}

/** @returns the ID of the user's connection, as soon as there is one */
export async function findConnection({ service }: World, signal: AbortSignal): Promise<string> {
  for (;;) {
    const response = await service.get(`/connections?tags[end_user_id]=${USER}`);
    expectStatus(response, 200);
    const [connection] = response.body.connections;
    if (connection !== undefined) return connection.connection_id;
    await wait(POLL_MS, undefined, { signal });
  }
}

export async function readAccessToken({ service }: World, connectionId: string): Promise<string> {
  const response = await service.get(`/connections/${connectionId}?${QUERY}`);
  expectStatus(response, 200);
  return response.body.credentials.access_token;
}

/** @returns the text of the first note, read from the external API through the service */
export async function readNoteThroughProxy({ service }: World, connectionId: string): Promise<string> {
  const headers = { 'Provider-Config-Key': INTEGRATION, 'Connection-Id': connectionId };
  const response = await service.get('/proxy/api/notes', { headers });
  expectStatus(response, 200);
  return response.body[0].text;
}

export function waitUntilExpired(signal: AbortSignal): Promise<void> {
  return wait(ACCESS_TOKEN_TTL_SECONDS * 1000, undefined, { signal });
}

/** @returns the external API's own response to a token, without the service */
export async function statusAtProvider({ provider }: World, accessToken: string): Promise<number> {
  const response = await fetch(`${provider.url}/api/me`, { headers: { authorization: `Bearer ${accessToken}` } });
  await response.body?.cancel();
  return response.status;
}

/** Only the error code is repeated: bodies may hold credentials. */
function expectStatus({ status, body }: ClientResponse, expected: number): void {
  if (status === expected) return;
  throw new Error(`got ${status}${body?.error?.code ? ` ${body.error.code}` : ''} where ${expected} was expected`);
}
