import type { JsonObject } from '#contract';
import { ServiceError } from '../errors.ts';
import type { AuthMode } from './auth-mode.ts';
import { oauth1Signer } from './oauth1/signer.ts';
import { presentOverride } from './presented.ts';
import type { StoredTba } from './stored-credentials.ts';
import { validityOf } from './validity.ts';

/** NetSuite's token-based authentication: OAuth 1.0 with a token that its user made, for one account, the realm. */
export const tba: AuthMode<StoredTba> = {
  name: 'TBA',
  isProvenByCall: true,
  present: ({ type, tokenId, tokenSecret, configOverride }) => ({
    type,
    token_id: tokenId,
    token_secret: tokenSecret,
    config_override: presentOverride(configOverride),
  }),
  validity: (stored) => validityOf(stored),
  sign: () => ({}),
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

/** Host names write the account `1234567_SB1` as `1234567-sb1`; the realm is the former. */
function realmOf({ accountId }: JsonObject): string {
  if (typeof accountId !== 'string' || accountId === '')
    throw new ServiceError('invalid_credentials', 'connection_config.accountId is missing: it is the realm of each signature');
  return accountId.includes('-') ? accountId.replaceAll('-', '_').toUpperCase() : accountId;
}
