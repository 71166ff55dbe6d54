import { gzipSync } from 'node:zlib';
import type { Behaviour, ScriptedResponse } from './scripted-server/behaviour.ts';

type Members = Readonly<Record<string, unknown>>;

/** The health of a connection after a refresh at a token endpoint with such a behaviour: `state`, or `state: cause`. */
type Shown = 'healthy' | 'needs_reauth: refused' | `degraded: ${'client_refused' | 'provider_unavailable' | 'too_many_request'}`;

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };

/** The target of a redirect, to which no refresh token may be sent. */
export const ELSEWHERE = '/api/elsewhere';

/**
 * What a token endpoint does at a refresh, and the health that the connection must then show. A response with a scripted body
 * does not use up the refresh token.
 */
export const TOKEN_ENDPOINT_BEHAVIOURS: readonly [does: string, behaviour: Behaviour, shown: Shown][] = [
  // These responses contain tokens. The service must read them in whatever form they are written, because the provider does not
  // send them again.
  ['responds as RFC 6749 §5.1 says', {}, 'healthy'],
  ['responds with 201', tokens((members) => ({ status: 201, headers: JSON_TYPE, body: json(members) })), 'healthy'],
  ['calls its JSON text/html', tokens((members) => ({ status: 200, headers: HTML_TYPE, body: json(members) })), 'healthy'],
  ['does not say what its JSON is', tokens((members) => ({ status: 200, body: json(members) })), 'healthy'],
  ['sends a form that it calls JSON', tokens((members) => ({ status: 200, headers: JSON_TYPE, body: form(members) })), 'healthy'],
  ['writes Latin-1', tokens((members) => ({ status: 200, headers: JSON_TYPE, body: latin1(members) })), 'healthy'],
  ['begins with a byte order mark', tokens((members) => ({ status: 200, body: `\uFEFF${json(members)}` })), 'healthy'],
  ['compresses although it was asked not to', tokens(compressed), 'healthy'],
  ['has neither type nor lifetime', { members: { token_type: undefined, expires_in: undefined } }, 'healthy'],
  ['states its lifetime as a text', { members: { expires_in: '3600' } }, 'healthy'],
  ['has an empty error beside the tokens', { members: { error: '' } }, 'healthy'],
  ['takes a second', { delayMs: 1_000 }, 'healthy'],

  // These refusals mean that the grant has ended, so only the end user can help, by authorizing again.
  ['says invalid_grant', refusal(400, { error: 'invalid_grant' }), 'needs_reauth: refused'],
  ['says invalid_grant with 401', refusal(401, { error: 'invalid_grant' }), 'needs_reauth: refused'],
  ['says invalid_grant with 200', refusal(200, { error: 'invalid_grant' }), 'needs_reauth: refused'],
  ['says INVALID_GRANT', refusal(400, { error: 'INVALID_GRANT' }), 'needs_reauth: refused'],
  ['says invalid_grant in an object', refusal(400, { error: { code: 'invalid_grant' } }), 'needs_reauth: refused'],
  ['says invalid_grant in a form', page(400, 'error=invalid_grant&error_description=no', FORM_TYPE), 'needs_reauth: refused'],
  ['says invalid_grant as text/html', page(400, '{"error":"invalid_grant"}', HTML_TYPE), 'needs_reauth: refused'],
  ['says bad_refresh_token', refusal(400, { error: 'bad_refresh_token' }), 'needs_reauth: refused'],

  // These refusals do not mean that the grant has ended.
  ['says invalid_request', refusal(400, { error: 'invalid_request' }), 'degraded: provider_unavailable'],
  ['says invalid_client', refusal(401, { error: 'invalid_client' }), 'degraded: client_refused'],
  ['says unauthorized_client', refusal(400, { error: 'unauthorized_client' }), 'degraded: client_refused'],
  ['speaks of invalid_grant in its description', described('invalid_grant'), 'degraded: provider_unavailable'],
  ['has a page that speaks of invalid_grant', page(400, '<h1>invalid_grant</h1>', HTML_TYPE), 'degraded: provider_unavailable'],
  ['says invalid_grant with 500', refusal(500, { error: 'invalid_grant' }), 'degraded: provider_unavailable'],
  ['says invalid_grant with 429', refusal(429, { error: 'invalid_grant' }), 'degraded: too_many_request'],
  ['refuses for a minute', page(429, '', { 'retry-after': '60' }), 'degraded: too_many_request'],
  ['is away until a date', page(503, '', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }), 'degraded: provider_unavailable'],
  ['is blocked by a firewall’s page', page(403, '<h1>Blocked</h1>', HTML_TYPE), 'degraded: provider_unavailable'],
  ['has moved', page(404, 'not here'), 'degraded: provider_unavailable'],
  ['redirects with 302', redirect(302), 'degraded: provider_unavailable'],
  ['redirects with 307', redirect(307), 'degraded: provider_unavailable'],

  // These responses contain neither tokens nor a refusal.
  ['says nothing', page(200, ''), 'degraded: provider_unavailable'],
  ['responds with 204', page(204, ''), 'degraded: provider_unavailable'],
  ['has a sign-in page', page(200, '<!doctype html><title>Sign in</title>', HTML_TYPE), 'degraded: provider_unavailable'],
  ['cuts its JSON', page(200, '{"access_token":"abc","expires_in":36', JSON_TYPE), 'degraded: provider_unavailable'],
  [
    'ends inside the response',
    { ...page(200, '{"access_token":"abc"}'), delivery: 'truncate' },
    'degraded: provider_unavailable',
  ],
  ['resets the connection', { ...page(200, ''), delivery: 'reset' }, 'degraded: provider_unavailable'],
  ['says that it is away, with 200', refusal(200, { error: 'temporarily_unavailable' }), 'degraded: provider_unavailable'],
];

function tokens(write: (members: Members) => ScriptedResponse): Behaviour {
  return { write };
}

function compressed(members: Members): ScriptedResponse {
  return { status: 200, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: gzipSync(json(members)) };
}

function refusal(status: number, body: object): Behaviour {
  return page(status, JSON.stringify(body), JSON_TYPE);
}

function described(description: string): Behaviour {
  return refusal(400, { error: 'invalid_request', error_description: description });
}

function redirect(status: number): Behaviour {
  return page(status, '', { location: ELSEWHERE });
}

function page(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return { response: { status, headers, body } };
}

function json(members: Members): string {
  return JSON.stringify(members);
}

function latin1(members: Members): Buffer {
  return Buffer.from(json({ ...members, display_name: 'Zoë' }), 'latin1');
}

function form(members: Members): string {
  const texts = Object.entries(members).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(Object.fromEntries(texts)).toString();
}
