import type { AuthMode } from '../auth-mode.ts';
import { presentRaw } from '../presented.ts';
import type { StoredOAuth1 } from '../stored-credentials.ts';
import { validityOf } from '../validity.ts';
import { oauth1Signer } from './signer.ts';

/** OAuth 1.0 (RFC 5849): a token that does not end, and a signature over each request. */
export const oauth1: AuthMode<StoredOAuth1> = {
  name: 'OAUTH1',
  present: ({ type, oauthToken, oauthTokenSecret, raw }, options) => ({
    type,
    oauth_token: oauthToken,
    oauth_token_secret: oauthTokenSecret,
    raw: presentRaw(raw, options),
  }),
  validity: (stored) => validityOf(stored),
  sign: () => ({}),
  signer: ({ oauthToken, oauthTokenSecret }, { definition, client }) =>
    oauth1Signer({
      client,
      token: oauthToken,
      tokenSecret: oauthTokenSecret,
      method: definition.signature_method ?? 'HMAC-SHA1',
    }),
  templateValues: ({ oauthToken, oauthTokenSecret }) => ({
    'credentials.oauth_token': oauthToken,
    'credentials.oauth_token_secret': oauthTokenSecret,
  }),
};
