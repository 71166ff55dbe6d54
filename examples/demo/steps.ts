import { setTimeout as wait } from 'node:timers/promises';
import type { ClientResponse } from '../../test/support/http-client.ts';
import { decide } from '../../test/support/sandbox.ts';
import { WebWalker } from '../../test/support/web-walker.ts';
import { INTEGRATION, type World } from './world.ts';

const POLL_MS = 200;

/** What the example application knows about its user. */
interface Account {
  readonly connections: readonly { readonly connection_id: string }[];
  readonly webhooks: readonly { readonly webhook?: { readonly operation?: string; readonly connectionId?: string } }[];
}

/** @returns the token with which the page opens the connect window */
export async function createSession({ appUrl }: World): Promise<string> {
  const { token } = await callApplication(`${appUrl}/api/connect-session`, { method: 'POST' });
  return token;
}

/** Does what the user's browser would do: it goes to the sandbox, allows access as Ada, and returns to the service. */
export async function connectHeadlessly({ serviceUrl, token }: { serviceUrl: string; token: string }): Promise<void> {
  const browser = new WebWalker();
  const page = await browser.follow(`${serviceUrl}/oauth/connect/${INTEGRATION}?connect_session_token=${token}`);
  if ('stoppedAt' in page) throw new Error('the sandbox has no page');
  expectStatus(page, 200);
  expectStatus(await decide(browser, page), 200);
}

/** @returns the ID of the user's connection */
export async function findConnection(world: World): Promise<string> {
  const [connection] = (await accountOf(world)).connections;
  if (connection === undefined) throw new Error('the user has no connection');
  return connection.connection_id;
}

/**
 * Waits until the application has received the webhook about the new connection. It accepts only webhooks that the service has
 * signed.
 */
export async function waitForWebhook(world: World, { connection, signal }: Watched): Promise<void> {
  const isTold = ({ webhook }: Account['webhooks'][number]) =>
    webhook?.operation === 'creation' && webhook.connectionId === connection;
  while (!(await accountOf(world)).webhooks.some(isTold)) await wait(POLL_MS, undefined, { signal });
}

/** @returns the text of the first note, read from the sandbox's API through the service */
export async function readNote({ appUrl }: World, connection: string): Promise<string> {
  const { body } = await callApplication(`${appUrl}/api/notes?connection=${connection}`);
  return body[0].text;
}

export interface Watched {
  readonly connection: string;
  readonly signal: AbortSignal;
}

/** @returns how many access tokens the sandbox says it has issued for the connection so far */
export async function tokenNumber({ service }: World, connection: string): Promise<number> {
  const headers = { 'Provider-Config-Key': INTEGRATION, 'Connection-Id': connection };
  const response = await service.get('/proxy/me', { headers });
  expectStatus(response, 200);
  return response.body.token.number;
}

/** Waits until the service has refreshed the access token. Calling the API is all that an application does for this. */
export async function waitForRenewal(world: World, { connection, signal }: Watched): Promise<void> {
  const first = await tokenNumber(world, connection);
  while ((await tokenNumber(world, connection)) === first) await wait(POLL_MS, undefined, { signal });
}

function accountOf({ appUrl }: World): Promise<Account> {
  return callApplication(`${appUrl}/api/account`);
}

/** Calls the application. The response is not validated: the caller uses it immediately, and a wrong one makes the walk fail. */
async function callApplication(url: string, init: RequestInit = {}): Promise<ReturnType<typeof JSON.parse>> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`the application responded with ${response.status}`);
  return response.json();
}

/**
 * Throws if the status is not the expected one. The message contains only the error code, because bodies may hold credentials.
 */
function expectStatus({ status, body }: ClientResponse, expected: number): void {
  if (status === expected) return;
  throw new Error(`got ${status}${body?.error?.code ? ` ${body.error.code}` : ''} where ${expected} was expected`);
}
