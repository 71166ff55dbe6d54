import { createHmac, randomUUID } from 'node:crypto';
import type { DemoCaller } from '../connections/integrations/demo-provider.ts';
import type { Reply } from '../server/route.ts';
import { environmentById } from '../tenants/environments/environment-store.ts';
import { demoApp } from './client.ts';
import type { DemoProviderDeps, DemoRequest } from './deps.ts';
import { isGranted } from './grant-store.ts';
import { type DemoUser, personOf, signIn } from './people.ts';
import { DemoRefusal, requirePlayground } from './refusal.ts';
import { SLOW_MS } from './token-endpoint.ts';
import { unseal } from './tokens.ts';

const MAX_TEXT = 1_000;
const TEXTS = ['Buy milk', 'Water the plants'];

interface Authenticated {
  readonly person: DemoUser;
  /** The access token that was used: its number, counted from the beginning of the grant, and the end of its validity. */
  readonly token?: { readonly number: number; readonly expires_at: string };
}

/** `GET /api/me`: returns the account that the credentials belong to. */
export async function showAccount(deps: DemoProviderDeps, request: DemoRequest): Promise<Reply> {
  const { person, token } = await authenticate(deps, request);
  return { body: { ...person, ...(token !== undefined && { token }) } };
}

/** `GET /api/notes`: always returns the same notes, since the sandbox stores none. */
export async function listNotes(deps: DemoProviderDeps, request: DemoRequest): Promise<Reply> {
  const { person } = await authenticate(deps, request);
  return { body: TEXTS.map((text, index) => ({ id: `note-${index + 1}`, text, author: person.name })) };
}

/**
 * `POST /api/notes`: stores nothing either. With an access token it sends a webhook about the note; with other credentials the
 * integration has no app, and so no secret to sign a webhook with.
 */
export async function createNote(deps: DemoProviderDeps, request: DemoRequest): Promise<Reply> {
  const { person, token } = await authenticate(deps, request);
  const note = { id: `note-${randomUUID()}`, text: textIn(await request.readBody()), author: person.name };
  if (token !== undefined) await sendWebhook(deps, request.caller, { person, note });
  return { status: 201, body: note };
}

function textIn(body: Buffer): string {
  try {
    const { text }: { text?: unknown } = JSON.parse(body.toString('utf8')) ?? {};
    if (typeof text === 'string' && text.length <= MAX_TEXT) return text;
  } catch {
    // Invalid JSON is reported below, like any other invalid note.
  }
  throw new DemoRefusal(400, 'invalid_request', `a note is JSON with a "text" of at most ${MAX_TEXT} characters`);
}

/** Sends a webhook without leaving the process: it is received as if it had been sent to the webhook URL of the integration. */
async function sendWebhook(
  deps: DemoProviderDeps,
  { environmentId, uniqueKey }: DemoCaller,
  { person, note }: { readonly person: DemoUser; readonly note: object },
): Promise<void> {
  const environment = await environmentById(deps.db, environmentId);
  const bytes = Buffer.from(JSON.stringify({ id: `event-${randomUUID()}`, type: 'note.created', account_id: person.id, note }));
  const signature = createHmac('sha256', demoApp(deps.keys).clientSecret).update(bytes).digest('hex');
  const address = { environmentUuid: environment?.uuid ?? '', uniqueKey };
  const headers = { 'content-type': 'application/json', 'sandbox-signature': signature };
  const target = `/webhook/${address.environmentUuid}/${encodeURIComponent(uniqueKey)}`;
  await deps
    .receive(address, { method: 'POST', target, headers, readBody: async () => ({ bytes }), markVerified: () => undefined })
    .catch((error: unknown) => deps.log.warn('a webhook of the sandbox provider was rejected', { error }));
}

/** Authenticates by token, API key, or user name and password. */
async function authenticate(deps: DemoProviderDeps, { headers, caller }: DemoRequest): Promise<Authenticated> {
  const [, scheme = '', value = ''] = /^(bearer|basic) (\S+)$/i.exec(headers['authorization'] ?? '') ?? [];
  const token = unseal({ keys: deps.keys, now: deps.clock.now() }, 'access', value);
  if (token !== undefined) {
    await requirePlayground(deps.db, token.environmentId);
    const person = personOf(token.personId);
    if (person === undefined || caller.environmentId !== token.environmentId || !(await isGranted(deps.db, token.grantId)))
      throw unauthorized();
    if (token.outcome === 'is_slow') await deps.wait(SLOW_MS);
    const expires = new Date(token.expiresAt * 1_000).toISOString();
    return { person, token: { number: token.generation, expires_at: expires } };
  }
  await requirePlayground(deps.db, caller.environmentId);
  return scheme.toLowerCase() === 'basic' ? withPassword(deps, value) : withKey(deps, value);
}

async function withKey(deps: DemoProviderDeps, key: string): Promise<Authenticated> {
  const person = personOf(await played(deps, key));
  if (person === undefined) throw unauthorized();
  return { person };
}

async function withPassword(deps: DemoProviderDeps, encoded: string): Promise<Authenticated> {
  const [, username = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  const person = signIn(await played(deps, username), password);
  if (person === undefined) throw unauthorized();
  return { person };
}

/** Lets a tester control what happens by the key or user name entered. @returns the key or user name to use */
async function played(deps: DemoProviderDeps, typed: string): Promise<string> {
  if (typed === 'error') throw new DemoRefusal(500, 'server_error', 'the entered key or user name asks for this error');
  if (typed !== 'slow') return typed;
  await deps.wait(SLOW_MS);
  return 'demo';
}

function unauthorized(): DemoRefusal {
  return new DemoRefusal(401, 'invalid_token', 'these credentials are wrong, have expired, or were revoked');
}
