import { type JsonObject, valueAt } from '#contract';
import { type Completed, type FlowEnd, type ModeDeps, type ModeInput, TokenFailure } from '../auth-mode.ts';
import { checkIssuer } from './issuer.ts';
import type { StoredOAuth2 } from './stored.ts';
import { type Previous, readTokenAnswer } from './token-answer.ts';
import { callTokenEndpoint } from './token-call.ts';
import { knownCode } from './token-failure.ts';

/** Of a text that becomes configuration of the connection: as long as an address may be. */
const MAX_KEPT_LENGTH = 2048;

/** The browser is back: checks the answer, then trades the code for tokens (RFC 6749 §4.1.2 to §4.1.4). @throws TokenFailure */
export async function complete(
  deps: ModeDeps,
  input: ModeInput,
  { query, secrets, previous }: FlowEnd,
): Promise<Completed<StoredOAuth2>> {
  checkIssuer(query, secrets);
  checkError(query);
  const code = query['code'];
  if (code === undefined || code === '') throw new TokenFailure('malformed', 'the provider sent the browser back without a code');

  const answer = await callTokenEndpoint(deps, input, {
    url: 'token_url',
    grantType: 'authorization_code',
    templates: input.definition.token_params,
    params: { code, ...keptSecrets(secrets) },
  });
  const credentials = readTokenAnswer(input, { answer, receivedAt: deps.now(), previous: knownLifetime(previous) });
  return { credentials, connectionConfig: { ...keptQuery(input, query), ...keptMembers(input, credentials.raw) } };
}

/** Nothing else of the tokens before: a new authorization may be another account's. */
function knownLifetime(previous: FlowEnd['previous']): Previous {
  const stated = previous?.type === 'OAUTH2' ? (previous as StoredOAuth2).statedLifetimeMs : undefined;
  return stated === undefined ? {} : { statedLifetimeMs: stated };
}

function checkError(query: FlowEnd['query']): void {
  if (query['error'] === undefined) return;
  throw new TokenFailure('refused', 'the provider ended the authorization', { providerCode: knownCode(query['error']) });
}

/** The redirect URI of the request, letter for letter, and the PKCE verifier (RFC 7636 §4.5). */
function keptSecrets({ redirectUri, codeVerifier }: JsonObject): Record<string, string> {
  return {
    ...(typeof redirectUri === 'string' && { redirect_uri: redirectUri }),
    ...(typeof codeVerifier === 'string' && { code_verifier: codeVerifier }),
  };
}

function keptQuery({ definition }: ModeInput, query: FlowEnd['query']): JsonObject {
  const names = definition.redirect_uri_metadata ?? [];
  return Object.fromEntries(names.flatMap((name) => (isKeepable(query[name]) ? [[name, query[name]]] : [])));
}

/** Kept under the name that the definition gives, path and all: that is how templates name it. */
function keptMembers({ definition }: ModeInput, raw: JsonObject): JsonObject {
  const paths = definition.token_response_metadata ?? [];
  return Object.fromEntries(
    paths.flatMap((path) => {
      const value = valueAt(raw, path);
      return isKeepable(value) ? [[path, value]] : [];
    }),
  );
}

/**
 * Texts that `jsonb` cannot hold (PostgreSQL documentation, 8.14) are left out, and those that no configuration needs: they must
 * not fail the whole authorization.
 */
function isKeepable(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value.length <= MAX_KEPT_LENGTH && value.isWellFormed() && !value.includes('\0');
  return typeof value === 'number' || typeof value === 'boolean';
}
