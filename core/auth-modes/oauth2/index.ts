import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { JsonObject } from '#contract';
import type { AuthMode } from '../auth-mode.ts';
import { bearer } from '../building-blocks/bearer-token.ts';
import { clientIdValue } from '../building-blocks/client-values.ts';
import {
  credentialInput,
  expiresAt,
  ownApp,
  rawOf,
  secret,
  storedExpiry,
  storedOverride,
} from '../building-blocks/credential-input.ts';
import { defined, oauth2Tokens, presentOverride, presentRaw } from '../building-blocks/presented.ts';
import { presentedCertificate } from '../building-blocks/token-endpoint/token-call.ts';
import { receivedTokens } from '../building-blocks/token-endpoint/token-response.ts';
import { begin } from './authorize.ts';
import { complete } from './exchange.ts';
import { refresh, revoke } from './refresh.ts';
import { type StoredOAuth2, storedOAuth2 } from './stored.ts';

const importable = z.strictObject({
  access_token: secret,
  refresh_token: secret.optional(),
  expires_at: expiresAt.optional(),
  config_override: ownApp.optional(),
});

/** OAuth 2.0 authorization code grant with PKCE (RFC 6749 §4.1, RFC 7636). */
export const oauth2: AuthMode<StoredOAuth2> = {
  name: 'OAUTH2',
  requires: ['authorization_url', 'token_url'],
  standIn: 'issuer',
  reads: ['token_params', 'refresh_params', 'token_headers', 'revocation_url'],
  app: ['client_id', 'client_secret', 'scopes', 'private_key'],
  hasShareableApp: true,
  hasSecretOverlap: true,
  presented: oauth2Tokens,
  imported: credentialInput(importable, (given) => ({
    type: 'OAUTH2' as const,
    accessToken: given.access_token,
    ...(given.refresh_token !== undefined && { refreshToken: given.refresh_token }),
    ...storedExpiry(given),
    raw: rawOf(given),
    ...(given.config_override !== undefined && { configOverride: storedOverride(given.config_override) }),
  })),
  present,
  isRefreshable: ({ refreshToken, grant }) => refreshToken !== undefined || grant !== undefined,
  sign: ({ accessToken }) => bearer(accessToken),
  templateValues: ({ accessToken, configOverride }) => ({
    ...clientIdValue({ clientId: configOverride?.clientId ?? '' }),
    accessToken,
    'credentials.access_token': accessToken,
  }),
  certificate: (_stored, { client, definition }) => presentedCertificate(client, definition),
  begin,
  complete,
  refresh,
  withOwnApp: (stored, configOverride) => ({ ...stored, configOverride }),
  ownApp: ({ configOverride }) => configOverride,
  keepRefreshToken,
  revoke,
  takesExchange: ({ callback }) => callback?.grant !== 'client_credentials',
  adopt: (input, tokens, received) => storedOAuth2(receivedTokens(input, tokens, received), received.previous),
};

function keepRefreshToken(stored: StoredOAuth2, { refreshToken, configOverride }: StoredOAuth2): StoredOAuth2 | undefined {
  const isOfSameApp = isDeepStrictEqual(configOverride, stored.configOverride);
  return isOfSameApp && refreshToken !== undefined ? { ...stored, refreshToken } : undefined;
}

function present(stored: StoredOAuth2, options: { readonly withRefreshToken: boolean }): JsonObject {
  return defined({
    type: stored.type,
    access_token: stored.accessToken,
    refresh_token: options.withRefreshToken ? stored.refreshToken : undefined,
    expires_at: stored.expiresAt,
    config_override: stored.configOverride && presentOverride(stored.configOverride),
    raw: presentRaw(stored.raw, options),
  });
}
