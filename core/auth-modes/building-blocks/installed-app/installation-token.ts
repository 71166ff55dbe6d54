import { type JsonObject, type ProviderDefinition, type TokenRefusal, valueAt } from '#contract';
import { ServiceError } from '../../../errors.ts';
import { type ModeDeps, type ModeInput, TokenFailure } from '../../auth-mode.ts';
import { fillHeaders, fillJson } from '../provider-template.ts';
import { lifetimeOf } from '../stored-credentials.ts';
import { standardTokens } from '../token-endpoint/find-tokens.ts';
import { encodedBody, sendTokenRequest, type TokenRequest, tokenHeaders, tokenUrl } from '../token-endpoint/token-call.ts';
import { type ReceivedTokens, readTokenResponse } from '../token-endpoint/token-response.ts';
import { appProof } from './app-proof.ts';
import type { StoredApp } from './stored-app.ts';

/**
 * Fetches a new token of the installation.
 *
 * @throws TokenFailure if the app's JWT cannot be signed, or no token is issued for it
 */
export async function renewInstallationToken(deps: ModeDeps, input: ModeInput, stored: StoredApp): Promise<StoredApp> {
  return fetchInstallationToken(deps, input, { stored, proof: await proofOrFailure(deps, input) });
}

/** Returns the app's JWT. A failure is `transient`, since the integration's settings can be corrected without the user. */
async function proofOrFailure(deps: ModeDeps, { client }: ModeInput): Promise<string> {
  try {
    return await appProof(client, deps.now());
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    throw new TokenFailure('transient', cause.message, { cause });
  }
}

/** Exchanges the app's JWT for a token of one installation. @throws TokenFailure if the provider issues none */
export async function fetchInstallationToken(
  deps: ModeDeps,
  input: ModeInput,
  { stored, proof }: { readonly stored: StoredApp; readonly proof: string },
): Promise<StoredApp> {
  const { definition, integrationConfig, rules } = input;
  const receivedAt = deps.now(); // Read before the call, so that no token is considered valid for longer than it is.
  const response = await sendTokenRequest(deps, () => tokenRequest(ofInstallation(input, stored), proof));
  // The defaults are the names of these fields in GitHub's response.
  const token_response = { token: 'token', token_expiration: 'expires_at', ...definition.token_response };
  const received = { receivedAt, headers: response.headers };
  const readTokens = (body: JsonObject) => standardTokens(body, { ...definition, token_response }, received);
  const tokens = readTokenResponse(
    {
      definition,
      integrationConfig,
      rules: { isRevoked: (refusal) => isInstallationGone(definition, refusal), readTokens, ...rules },
    },
    { response, receivedAt, previous: stored },
  );
  return withToken(stored, tokens);
}

/** Returns the credentials with a new token. */
export function withToken({ type, appId, installationId }: StoredApp, tokens: ReceivedTokens): StoredApp {
  const { accessToken, receivedAt, raw } = tokens;
  return { type, appId, installationId, accessToken, ...lifetimeOf(tokens), receivedAt, raw };
}

/**
 * Adds the app ID and the installation ID to the input, under the names that imports use, so that templates can refer to them.
 */
function ofInstallation(input: ModeInput, { appId, installationId }: StoredApp): ModeInput {
  return { ...input, connectionConfig: { ...input.connectionConfig, app_id: appId, installation_id: installationId } };
}

function tokenRequest(input: ModeInput, proof: string): TokenRequest {
  const { definition } = input;
  return {
    url: tokenUrl(input, definition.token_url),
    headers: {
      ...tokenHeaders(definition),
      ...fillHeaders(definition.token_headers, input),
      authorization: `Bearer ${proof}`,
    },
    body: encodedBody(definition, fillJson(definition.token_params, input)),
  };
}

/** Returns whether the response says that the user removed or suspended the app. */
function isInstallationGone({ installation }: ProviderDefinition, { status, body }: TokenRefusal): boolean {
  if (status === 404 || status === 410) return true;
  const { suspended } = installation ?? {};
  return suspended !== undefined && status === suspended.status && valueAt(body, suspended.path) === suspended.equals;
}
