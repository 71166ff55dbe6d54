import { effectiveDefinition } from '#contract';
import type { ModeDeps, ModeInput } from '../../auth-mode.ts';
import { MAX_LIFETIME_MS } from './find-tokens.ts';
import { withSecret } from './previous-secret.ts';
import { readResponseBody } from './response-body.ts';
import { byOurClock, type Received } from './server-clock.ts';
import { callTokenEndpoint, TOKEN_CALL_MS } from './token-call.ts';
import type { ReceivedTokens } from './token-response.ts';

/**
 * Timeout of an introspection in milliseconds. It is short because new tokens are stored only afterwards; if the process ended
 * before, they would be lost.
 */
const INTROSPECTION_MS = 2_000;

/**
 * Asks the server when the access token expires (RFC 7662), if neither a response nor the definition states a lifetime. If the
 * request fails for any reason, the expiry stays unknown: the tokens are valid nevertheless, and a new refresh token, which has
 * replaced the old one, must not be lost.
 */
export async function withIntrospectedExpiry(deps: ModeDeps, input: ModeInput, tokens: ReceivedTokens): Promise<ReceivedTokens> {
  const { introspection_url: url } = effectiveDefinition(input.definition, input.integrationConfig);
  if (url === undefined || tokens.expiresAt !== undefined) return tokens;
  const expiresAt = await introspectedExpiry(deps, input, tokens);
  return expiresAt === undefined ? tokens : { ...tokens, expiresAt: expiresAt.toISOString() };
}

async function introspectedExpiry(
  deps: ModeDeps,
  input: ModeInput,
  { accessToken: token }: ReceivedTokens,
): Promise<Date | undefined> {
  const tokenCallMs = Math.min(INTROSPECTION_MS, deps.tokenCallMs ?? TOKEN_CALL_MS);
  const params = { token, token_type_hint: 'access_token' };
  const once = { ...input, client: withSecret(input.client, {}) };
  try {
    const call = { url: 'introspection_url', templates: undefined, params } as const;
    const receivedAt = deps.now();
    const { status, body, headers } = await callTokenEndpoint({ ...deps, tokenCallMs }, once, call);
    const { active, exp } = (status === 200 && readResponseBody(body, headers['content-type'])) || {};
    return active === true && typeof exp === 'number' ? plausibleExpiry(exp, { receivedAt, headers }) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Converts the expiry that the server states to the service's clock; undefined if it is implausible.
 *
 * @param seconds seconds since 1970 (RFC 7662 §2.2), by the server's clock
 */
function plausibleExpiry(seconds: number, received: Received): Date | undefined {
  const end = new Date(seconds * 1000);
  if (Number.isNaN(end.getTime())) return undefined;
  const expiresAt = byOurClock(end, received);
  const lifetimeMs = expiresAt.getTime() - received.receivedAt.getTime();
  return lifetimeMs > 0 && lifetimeMs <= MAX_LIFETIME_MS ? expiresAt : undefined;
}
