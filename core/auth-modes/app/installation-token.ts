import { type JsonObject, type ProviderDefinition, type TokenRefusal, type TokenSet, valueAt } from '#contract';
import { withLowerCaseNames } from '../../kit/header-names.ts';
import type { ModeDeps, ModeInput } from '../auth-mode.ts';
import { fillJson, fillTexts } from '../provider-template.ts';
import { lifetimeOf } from '../stored-credentials.ts';
import { encodedBody, sendTokenRequest, type TokenRequest, tokenHeaders, tokenUrl } from '../token-endpoint/token-call.ts';
import { type ReceivedTokens, readTokenResponse } from '../token-endpoint/token-response.ts';
import type { StoredApp } from './stored.ts';

/** Exchanges the app's JWT for a token of one installation. @throws TokenFailure */
export async function fetchInstallationToken(
  deps: ModeDeps,
  input: ModeInput,
  { stored, proof }: { readonly stored: StoredApp; readonly proof: string },
): Promise<StoredApp> {
  const { definition, integrationConfig, rules } = input;
  const receivedAt = deps.now(); // A lifetime counted from before the call can only be too short.
  const response = await sendTokenRequest(deps, () => tokenRequest(ofInstallation(input, stored), proof));
  const readTokens = (body: JsonObject) => installationTokens(definition, body, receivedAt);
  const tokens = readTokenResponse(
    { definition, integrationConfig, rules: { isRevoked: isInstallationGone, readTokens, ...rules } },
    { response, receivedAt, previous: stored },
  );
  return withToken(stored, tokens);
}

/** The credentials with a new token. */
export function withToken({ type, appId, installationId }: StoredApp, tokens: ReceivedTokens): StoredApp {
  const { accessToken, receivedAt, raw } = tokens;
  return { type, appId, installationId, accessToken, ...lifetimeOf(tokens), receivedAt, raw };
}

/** In templates the installation has the same names as in an import. */
function ofInstallation(input: ModeInput, { appId, installationId }: StoredApp): ModeInput {
  return { ...input, connectionConfig: { ...input.connectionConfig, app_id: appId, installation_id: installationId } };
}

function tokenRequest(input: ModeInput, proof: string): TokenRequest {
  const { definition } = input;
  return {
    url: tokenUrl(input, definition.token_url),
    headers: {
      ...tokenHeaders(definition),
      ...withLowerCaseNames(Object.entries(fillTexts(definition.token_headers, input))),
      authorization: `Bearer ${proof}`,
    },
    body: encodedBody(definition, fillJson(definition.token_params, input)),
  };
}

/** At the paths in `token_response`; by default as GitHub sends it: `token` and, as a date, `expires_at`. */
function installationTokens({ token_response }: ProviderDefinition, body: JsonObject, now: Date): TokenSet {
  const token = valueAt(body, token_response?.token ?? 'token');
  const expiry = valueAt(body, token_response?.token_expiration ?? 'expires_at');
  const expiresAt = expiryDate(expiry, token_response?.token_expiration_strategy ?? 'expireAt', now);
  return {
    accessToken: typeof token === 'string' ? token : '',
    ...(expiresAt !== undefined && { expiresAt }),
    raw: body,
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

/** The user removed the app. */
function isInstallationGone({ status }: TokenRefusal): boolean {
  return status === 404 || status === 410;
}
