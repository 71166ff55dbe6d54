import { generateKeyPairSync } from 'node:crypto';
import { type ClientMetadata, type Configuration, errors } from 'oidc-provider';
import { canary } from '../canaries.ts';
import { MemoryStore } from './memory-adapter.ts';
import { presentedCertificate } from './presented-certificate.ts';

/** The only API that clients can name as the resource of a token (RFC 8707). */
export const NOTES_RESOURCE = 'https://notes.example/api';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

export interface HonestClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface HonestClients {
  /** A client that authenticates with `client_secret_basic`. */
  readonly basic: HonestClient;
  /** A client that authenticates with `client_secret_post`. */
  readonly body: HonestClient;
}

export function newClients(): HonestClients {
  return {
    basic: { clientId: 'svc-basic', clientSecret: canary('honest provider: client secret (basic)') },
    body: { clientId: 'svc-body', clientSecret: canary('honest provider: client secret (body)') },
  };
}

interface StrictOptions {
  readonly clients: HonestClients;
  readonly others: readonly ClientMetadata[];
  readonly redirectUris: readonly string[];
  readonly accessTokenTtlSeconds: number;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * Returns a configuration that is strict wherever svc could deviate from the standards. It sets every option for which
 * oidc-provider would otherwise print a notice that its default is used.
 */
export function strictConfiguration({
  clients,
  others,
  redirectUris,
  accessTokenTtlSeconds,
  claims,
}: StrictOptions): Configuration {
  return {
    adapter: new MemoryStore().adapter,
    clients: [
      metadata(clients.basic, 'client_secret_basic', redirectUris),
      metadata(clients.body, 'client_secret_post', redirectUris),
      ...others,
    ],
    jwks: { keys: [signingKey()] },
    cookies: { keys: [canary('honest provider: cookie key')] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: isOwnToken },
      revocation: { enabled: true, allowedPolicy: isOwnToken },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => [],
        useGrantedResource: () => false,
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== NOTES_RESOURCE) throw new errors.InvalidTarget();
          return { scope: 'notes', audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: accessTokenTtlSeconds };
        },
      },
      mTLS: {
        enabled: true,
        selfSignedTlsClientAuth: true,
        certificateBoundAccessTokens: true,
        getCertificate: ({ req }) => presentedCertificate(req),
      },
    },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'self_signed_tls_client_auth'],
    // If the audience could be the token endpoint, a malicious server that names this endpoint as its own would receive
    // assertions that are valid here (draft-ietf-oauth-rfc7523bis).
    assertJwtClientAuthClaimsAndHeader: async ({ oidc }, { aud }) => {
      if (aud !== oidc.issuer) throw new errors.InvalidClientAuth('the audience must be the issuer');
    },
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile', 'offline_access', 'notes'],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ ...claims, sub: accountId }) }),
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    clientBasedCORS: () => false,
    renderError: (ctx, out) => {
      ctx.type = 'json';
      ctx.body = out;
    },
    ttl: lifetimes(accessTokenTtlSeconds),
  };
}

function lifetimes(accessTokenTtlSeconds: number): NonNullable<Configuration['ttl']> {
  return {
    AccessToken: accessTokenTtlSeconds,
    ClientCredentials: accessTokenTtlSeconds,
    AuthorizationCode: 60,
    RefreshToken: DAY_SECONDS,
    IdToken: HOUR_SECONDS,
    Interaction: HOUR_SECONDS,
    Session: DAY_SECONDS,
    Grant: DAY_SECONDS,
  };
}

async function isOwnToken(
  _ctx: unknown,
  client: { readonly clientId: string },
  token: { readonly clientId?: string | undefined },
) {
  return token.clientId === client.clientId;
}

function metadata(
  { clientId, clientSecret }: HonestClient,
  method: 'client_secret_basic' | 'client_secret_post',
  redirectUris: readonly string[],
) {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [...redirectUris],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
    token_endpoint_auth_method: method,
  };
}

function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' };
}
