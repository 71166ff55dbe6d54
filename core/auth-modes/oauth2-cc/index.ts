import * as z from 'zod';
import { effectiveDefinition, type JsonObject, type TokenRefusal } from '#contract';
import type { AuthMode, ModeDeps, ModeInput } from '../auth-mode.ts';
import { bearer, tokenValues } from '../bearer-token.ts';
import { clientIdValue } from '../client-values.ts';
import { credentialInput, expiresAt, identifier, rawOf, secret, storedExpiry } from '../credential-input.ts';
import { firstToken } from '../first-token.ts';
import { defined, expires_at, presentRaw, raw, text } from '../presented.ts';
import { type Expiring, lifetimeOf } from '../stored-credentials.ts';
import { revokeToken } from '../token-endpoint/revoke-token.ts';
import { callTokenEndpoint, withSecret } from '../token-endpoint/token-call.ts';
import { type ReceivedTokens, readTokenResponse, receivedTokens } from '../token-endpoint/token-response.ts';

interface StoredOAuth2Cc extends Expiring {
  readonly type: 'OAUTH2_CC';
  readonly clientId: string;
  readonly clientSecret: string;
  /** Empty until the first one was fetched. */
  readonly token: string;
  readonly raw: JsonObject;
}

const client = { client_id: identifier, client_secret: secret };

const imported = credentialInput(z.strictObject({ ...client, token: secret, expires_at: expiresAt.optional() }), (given) => ({
  type: 'OAUTH2_CC' as const,
  clientId: given.client_id,
  clientSecret: given.client_secret,
  token: given.token,
  ...storedExpiry(given),
  raw: rawOf(given),
}));

/** OAuth 2.0 client credentials grant (RFC 6749 §4.4), with an app of the connection's own. */
export const oauth2Cc: AuthMode<StoredOAuth2Cc> = {
  name: 'OAUTH2_CC',
  app: ['client_id', 'client_secret', 'scopes'],
  presented: z.strictObject({
    type: z.literal('OAUTH2_CC'),
    client_id: text,
    client_secret: text,
    token: text,
    expires_at,
    raw,
  }),
  imported,
  form: {
    ...credentialInput(z.strictObject(client), (given) => imported.store({ ...given, token: '' })),
    path: '/oauth2/auth',
    operationId: 'connectWithClientCredentials',
    summary: 'Connect with an OAuth 2.0 client of the user’s own (client credentials grant)',
    example: { client_id: 'example-client-id', client_secret: 'example-client-secret' },
    fields: { client_id: { title: 'Client ID' }, client_secret: { title: 'Client secret', secret: true } },
  },
  present: (stored, options) =>
    defined({
      type: stored.type,
      client_id: stored.clientId,
      client_secret: stored.clientSecret,
      token: stored.token,
      expires_at: stored.expiresAt,
      raw: presentRaw(stored.raw, options),
    }),
  sign: ({ token }) => bearer(token),
  templateValues: ({ clientId, token }) => ({ ...clientIdValue({ clientId }), ...tokenValues(token) }),
  prepare: async (deps, input, stored) => (stored.token === '' ? firstToken(() => refresh(deps, input, stored)) : stored),
  refresh,
  revoke: (deps, input, { clientId, clientSecret, token }) =>
    revokeToken(
      deps,
      { ...input, client: withSecret(input.client, { clientId, clientSecret }) },
      { token, hint: 'access_token' },
    ),
  adopt: (input, tokens, received) => withTokens(received.previous, receivedTokens(input, tokens, received)),
};

/** @throws TokenFailure */
async function refresh(deps: ModeDeps, input: ModeInput, stored: StoredOAuth2Cc): Promise<StoredOAuth2Cc> {
  const { clientId, clientSecret } = stored;
  const { rules, integrationConfig } = input;
  const definition = effectiveDefinition(input.definition, integrationConfig);
  const scopes = input.client.scopes.length > 0 ? input.client.scopes : (definition.default_scopes ?? []);
  const receivedAt = deps.now(); // A lifetime counted from before the call can only be too short.
  const response = await callTokenEndpoint(
    deps,
    { ...input, client: withSecret(input.client, { clientId, clientSecret }) },
    {
      url: 'token_url',
      grantType: 'client_credentials',
      templates: definition.token_params,
      params: scopes.length > 0 ? { scope: scopes.join(definition.scope_separator ?? ' ') } : {},
    },
  );
  const tokens = readTokenResponse(
    { definition, integrationConfig, rules: { isRevoked: isClientRefused, ...rules } },
    { response, receivedAt, previous: stored },
  );
  return withTokens(stored, tokens);
}

/** The app is the user's own: if it is rejected (RFC 6749 §5.2), only the user can correct it. */
function isClientRefused({ status, error = '' }: TokenRefusal): boolean {
  return (
    status < 500 && status !== 429 && ['invalid_client', 'invalid_grant', 'unauthorized_client'].includes(error.toLowerCase())
  );
}

/** No refresh token is expected here (§4.4.3); the grant can be repeated. */
function withTokens({ type, clientId, clientSecret }: StoredOAuth2Cc, tokens: ReceivedTokens): StoredOAuth2Cc {
  const { accessToken, receivedAt, raw } = tokens;
  return { type, clientId, clientSecret, token: accessToken, ...lifetimeOf(tokens), receivedAt, raw };
}
