import * as z from 'zod';
import type { JsonObject } from '#contract';
import { ServiceError } from '../../errors.ts';
import type { AuthMode, ModeInput } from '../auth-mode.ts';
import { credentialInput, identifier, ownApp, secret, storedOverride } from '../building-blocks/credential-input.ts';
import { oauth1Signer } from '../building-blocks/oauth1-signature/signer.ts';
import { ownApp as presentedApp, presentOverride, text } from '../building-blocks/presented.ts';
import type { ConfigOverride, StoredCredentials } from '../building-blocks/stored-credentials.ts';

interface StoredTba extends StoredCredentials {
  readonly type: 'TBA';
  readonly tokenId: string;
  readonly tokenSecret: string;
  readonly configOverride: ConfigOverride;
}

const imported = credentialInput(
  z.strictObject({ token_id: secret, token_secret: secret, config_override: ownApp }),
  ({ token_id: tokenId, token_secret: tokenSecret, config_override: app }) => ({
    type: 'TBA' as const,
    tokenId,
    tokenSecret,
    configOverride: storedOverride(app),
  }),
);

const typed = credentialInput(
  z.strictObject({
    token_id: secret,
    token_secret: secret,
    oauth_client_id_override: identifier.optional().describe('replaces the integration’s client ID'),
    oauth_client_secret_override: secret.optional().describe('replaces the integration’s client secret'),
  }),
  ({ oauth_client_id_override: client_id, oauth_client_secret_override: client_secret, ...token }) =>
    imported.store({ ...token, config_override: { client_id, client_secret } }),
);

/**
 * NetSuite's token-based authentication, which is OAuth 1.0 with a token that the user creates for one account. The account is
 * the realm.
 */
export const tba: AuthMode<StoredTba> = {
  name: 'TBA',
  app: ['client_id', 'client_secret', 'scopes'],
  isProvenByCall: true,
  presented: z.strictObject({ type: z.literal('TBA'), token_id: text, token_secret: text, config_override: presentedApp }),
  imported,
  form: {
    ...typed,
    path: '/auth/tba',
    operationId: 'connectWithTba',
    summary: 'Connect with a token for token-based authentication',
    example: { token_id: 'example-token-id', token_secret: 'example-token-secret' },
    fields: { token_id: { title: 'Token ID' }, token_secret: { title: 'Token secret', secret: true } },
    check,
  },
  present: ({ type, tokenId, tokenSecret, configOverride }) => ({
    type,
    token_id: tokenId,
    token_secret: tokenSecret,
    config_override: presentOverride(configOverride),
  }),
  withOwnApp: (stored, app) => ({ ...stored, configOverride: { ...stored.configOverride, ...app } }),
  signer: ({ tokenId, tokenSecret, configOverride }, { client, connectionConfig }) =>
    oauth1Signer({
      client: { ...client, ...configOverride },
      token: tokenId,
      tokenSecret,
      method: 'HMAC-SHA256',
      realm: realmOf(connectionConfig),
    }),
  templateValues: ({ tokenId, tokenSecret }) => ({
    'credentials.token_id': tokenId,
    'credentials.token_secret': tokenSecret,
  }),
};

/**
 * Checks that there are an app and an account, without which requests cannot be signed.
 *
 * @throws ServiceError `missing_client_id`, `invalid_query_params`
 */
function check(given: z.output<typeof typed.members>, { client, connectionConfig }: ModeInput): void {
  const { oauth_client_id_override: id = client.clientId, oauth_client_secret_override: key = client.clientSecret } = given;
  if (id === '' || key === '')
    throw new ServiceError('missing_client_id', 'neither the integration nor the request has a client ID and secret');
  if (isAccount(connectionConfig['accountId'])) return;
  const message = 'accountId is required: it is the realm of each signature';
  throw new ServiceError('invalid_query_params', message, {
    details: [{ code: 'required', message, path: ['params', 'accountId'] }],
  });
}

function isAccount(accountId: unknown): accountId is string {
  return typeof accountId === 'string' && accountId !== '';
}

/**
 * Returns the realm, which is the account's ID as in `1234567_SB1` or `TSTDRV12`. Users may also enter it as it appears in host
 * names: `1234567-sb1` or `tstdrv12`.
 */
function realmOf({ accountId }: JsonObject): string {
  if (!isAccount(accountId))
    throw new ServiceError('invalid_credentials', 'connection_config.accountId is missing: it is the realm of each signature');
  return accountId.replaceAll('-', '_').toUpperCase();
}
