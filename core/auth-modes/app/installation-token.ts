import { type JsonObject, type ProviderDefinition, type TokenRefusal, type TokenSet, valueAt } from '#contract';
import type { ModeDeps, ModeInput } from '../auth-mode.ts';
import type { StoredOAuth2 } from '../oauth2/stored.ts';
import { readTokenAnswer } from '../oauth2/token-answer.ts';
import {
  encodedBody,
  lowerCaseNames,
  sendTokenRequest,
  type TokenRequest,
  tokenHeaders,
  tokenUrl,
} from '../oauth2/token-call.ts';
import { fillTexts } from '../provider-template.ts';
import { lifetimeOf } from '../validity.ts';
import type { StoredApp } from './stored.ts';

/** Trades the app's proof for a token of one installation. @throws TokenFailure */
export async function fetchInstallationToken(
  deps: ModeDeps,
  input: ModeInput,
  { stored, proof }: { readonly stored: StoredApp; readonly proof: string },
): Promise<StoredApp> {
  const { definition, integrationConfig, rules } = input;
  const receivedAt = deps.now(); // A lifetime counted from before the call can only be too short.
  const answer = await sendTokenRequest(deps, () => tokenRequest(ofInstallation(input, stored), proof));
  const readTokens = (body: JsonObject) => installationTokens(definition, body, receivedAt);
  const tokens = readTokenAnswer(
    { definition, integrationConfig, rules: { isRevoked: isInstallationGone, readTokens, ...rules } },
    { answer, receivedAt, previous: stored },
  );
  return withToken(stored, tokens);
}

/** The credentials with the token that just came. */
export function withToken({ type, appId, installationId }: StoredApp, tokens: StoredOAuth2): StoredApp {
  const { accessToken, receivedAt, raw } = tokens;
  return { type, appId, installationId, accessToken, ...lifetimeOf(tokens), receivedAt, raw };
}

/** Templates find the installation under the names that an import gives it. */
function ofInstallation(input: ModeInput, { appId, installationId }: StoredApp): ModeInput {
  return { ...input, connectionConfig: { ...input.connectionConfig, app_id: appId, installation_id: installationId } };
}

function tokenRequest(input: ModeInput, proof: string): TokenRequest {
  const { definition } = input;
  return {
    url: tokenUrl(input, definition.token_url),
    headers: {
      ...tokenHeaders(definition),
      ...lowerCaseNames(fillTexts(definition.token_headers, input)),
      authorization: `Bearer ${proof}`,
    },
    body: encodedBody(definition, fillTexts(definition.token_params, input)),
  };
}

/** Where `token_response` says, by default as GitHub writes it: `token` and, as a date, `expires_at`. */
function installationTokens({ token_response }: ProviderDefinition, answer: JsonObject, now: Date): TokenSet {
  const token = valueAt(answer, token_response?.token ?? 'token');
  const expiry = valueAt(answer, token_response?.token_expiration ?? 'expires_at');
  const expiresAt = expiryDate(expiry, token_response?.token_expiration_strategy ?? 'expireAt', now);
  return {
    accessToken: typeof token === 'string' ? token : '',
    ...(expiresAt !== undefined && { expiresAt }),
    raw: answer,
  };
}

function expiryDate(expiry: unknown, strategy: 'expireAt' | 'expireIn', now: Date): Date | undefined {
  if (strategy === 'expireIn') {
    const lifetimeMs = Number(expiry) * 1000;
    return lifetimeMs > 0 ? new Date(now.getTime() + lifetimeMs) : undefined;
  }
  const time = typeof expiry === 'string' ? Date.parse(expiry) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** The user took the app away. */
function isInstallationGone({ status }: TokenRefusal): boolean {
  return status === 404 || status === 410;
}
