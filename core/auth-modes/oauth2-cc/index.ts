import * as z from 'zod';
import { effectiveDefinition, type JsonObject, type TokenRefusal } from '#contract';
import type { AuthMode, ClientSettings, ModeDeps, ModeInput } from '../auth-mode.ts';
import { bearer, tokenValues } from '../building-blocks/bearer-token.ts';
import { clientIdValue } from '../building-blocks/client-values.ts';
import {
  credentialInput,
  expiresAt,
  identifier,
  longSecret,
  rawOf,
  secret,
  storedExpiry,
} from '../building-blocks/credential-input.ts';
import { withDiscoveredEndpoints } from '../building-blocks/discovered-endpoints.ts';
import { firstToken } from '../building-blocks/first-token.ts';
import { defined, expires_at, presentRaw, raw, text } from '../building-blocks/presented.ts';
import { scopeParam } from '../building-blocks/scopes.ts';
import { type Expiring, lifetimeOf } from '../building-blocks/stored-credentials.ts';
import { withIntrospectedExpiry } from '../building-blocks/token-endpoint/introspect-token.ts';
import { withSecret } from '../building-blocks/token-endpoint/previous-secret.ts';
import { revokeToken } from '../building-blocks/token-endpoint/revoke-token.ts';
import { callTokenEndpoint, presentedCertificate } from '../building-blocks/token-endpoint/token-call.ts';
import { type ReceivedTokens, readTokenResponse, receivedTokens } from '../building-blocks/token-endpoint/token-response.ts';
import { checkApp, storedPem } from './app-credentials.ts';

const client = { client_id: identifier, client_secret: secret };
const app = {
  client_id: identifier,
  client_secret: secret.optional(),
  client_certificate: longSecret
    .optional()
    .meta({ description: 'certificate as PEM, with its chain; its key is `client_private_key`' }),
  client_private_key: longSecret
    .optional()
    .meta({ description: 'key as PEM: of the certificate, or for client assertions (RFC 7523)' }),
};

const imported = credentialInput(z.strictObject({ ...client, token: secret, expires_at: expiresAt.optional() }), (given) => ({
  type: 'OAUTH2_CC' as const,
  clientId: given.client_id,
  clientSecret: given.client_secret,
  token: given.token,
  ...storedExpiry(given),
  raw: rawOf(given),
}));

/** The URLs to discover if they are missing. No authorization URL is needed, since no user is redirected. */
const NEEDED = ['token_url'] as const;

/** The client credentials grant of OAuth 2.0 (RFC 6749 §4.4); each connection has its own app. */
export const oauth2Cc: AuthMode<StoredOAuth2Cc> = {
  name: 'OAUTH2_CC',
  reads: ['token_params', 'token_headers', 'revocation_url'],
  app: ['client_id', 'client_secret', 'scopes'],
  appNeed: 'none',
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
    ...credentialInput(z.strictObject(app), ({ client_id: clientId, client_secret: clientSecret = '', ...pem }) => ({
      type: 'OAUTH2_CC' as const,
      clientId,
      clientSecret,
      ...storedPem(pem),
      token: '',
      raw: {},
    })),
    path: '/oauth2/auth',
    operationId: 'connectWithClientCredentials',
    summary: 'Connect with the user’s own OAuth 2.0 client (client credentials grant)',
    example: { client_id: 'example-client-id', client_secret: 'example-client-secret' },
    fields: {
      client_id: { title: 'Client ID' },
      client_secret: { title: 'Client secret', secret: true },
      client_certificate: { title: 'Certificate (PEM)', hidden: true },
      client_private_key: { title: 'Private key (PEM)', secret: true, hidden: true },
    },
    check: checkApp,
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
  certificate: (stored, input) => presentedCertificate(clientOf(input, stored), input.definition),
  templateValues: ({ clientId, token }) => ({ ...clientIdValue({ clientId }), ...tokenValues(token) }),
  prepare: async (deps, input, stored) => (stored.token === '' ? firstToken(() => refresh(deps, input, stored)) : stored),
  refresh,
  revoke: (deps, input, stored) =>
    revokeToken(
      deps,
      { ...input, client: clientOf(input, stored) },
      { token: stored.token, hint: 'access_token', needed: NEEDED },
    ),
  adopt: (input, tokens, received) => withTokens(received.previous, receivedTokens(input, tokens, received)),
};

/** Requests new tokens as the connection's own app. @throws TokenFailure if the provider issues none */
async function refresh(deps: ModeDeps, given: ModeInput, stored: StoredOAuth2Cc): Promise<StoredOAuth2Cc> {
  const { input } = await withDiscoveredEndpoints(deps, given, NEEDED);
  const { rules, integrationConfig } = input;
  const definition = effectiveDefinition(input.definition, integrationConfig);
  const receivedAt = deps.now(); // Read before the call, so that no token is considered valid for longer than it is.
  const asOwnApp = { ...input, client: clientOf(input, stored) };
  const response = await callTokenEndpoint(deps, asOwnApp, {
    url: 'token_url',
    grantType: 'client_credentials',
    templates: definition.token_params,
    params: scopeParam(input.client, definition),
  });
  const tokens = readTokenResponse(
    { definition, integrationConfig, rules: { isRevoked: isClientRefused, ...rules } },
    { response, receivedAt, previous: stored },
  );
  return withTokens(stored, await withIntrospectedExpiry(deps, asOwnApp, tokens));
}

function clientOf({ client }: Pick<ModeInput, 'client'>, stored: StoredOAuth2Cc): ClientSettings {
  const { clientId, clientSecret, clientCertificate: certificate, clientPrivateKey: privateKey } = stored;
  return {
    ...withSecret(client, { clientId, clientSecret }),
    ...(certificate !== undefined && { certificate }),
    ...(privateKey !== undefined && { privateKey }),
  };
}

/**
 * Returns whether the server rejects the app (RFC 6749 §5.2). The app is the user's own, so only the user can correct it, and the
 * authorization ends.
 */
function isClientRefused({ status, error = '' }: TokenRefusal): boolean {
  return (
    status < 500 && status !== 429 && ['invalid_client', 'invalid_grant', 'unauthorized_client'].includes(error.toLowerCase())
  );
}

interface StoredOAuth2Cc extends Expiring {
  readonly type: 'OAUTH2_CC';
  readonly clientId: string;
  /** The client secret; empty for an app that has a private key instead. */
  readonly clientSecret: string;
  /** The client certificate (PEM). */
  readonly clientCertificate?: string;
  /** The private key (PEM) that belongs to the certificate, or that signs assertions. */
  readonly clientPrivateKey?: string;
  /** The access token; empty until the first one is fetched. */
  readonly token: string;
  readonly raw: JsonObject;
}

/**
 * Returns the credentials with new tokens. A refresh token is not expected (RFC 6749 §4.4.3), since the same request yields new
 * tokens at any time.
 */
function withTokens(stored: StoredOAuth2Cc, tokens: ReceivedTokens): StoredOAuth2Cc {
  const { expiresAt: _, statedLifetimeMs: __, ...app } = stored;
  const { accessToken, receivedAt, raw } = tokens;
  return { ...app, token: accessToken, ...lifetimeOf(tokens), receivedAt, raw };
}
