import * as z from 'zod';
import type { AuthMode } from '../auth-mode.ts';
import { credentialInput, rawOf, secret } from '../building-blocks/credential-input.ts';
import { oauth1Signer } from '../building-blocks/oauth1-signature/signer.ts';
import { presentRaw, raw, text } from '../building-blocks/presented.ts';
import { begin } from './begin.ts';
import { complete } from './exchange.ts';
import type { StoredOAuth1 } from './stored.ts';
import { signatureMethod } from './token-request.ts';

/** OAuth 1.0 (RFC 5849), whose tokens do not expire, and in which each request is signed. */
export const oauth1: AuthMode<StoredOAuth1> = {
  name: 'OAUTH1',
  reads: ['token_params', 'token_headers'],
  app: ['client_id', 'client_secret', 'scopes', 'private_key'],
  hasShareableApp: true,
  presented: z.strictObject({ type: z.literal('OAUTH1'), oauth_token: text, oauth_token_secret: text, raw }),
  imported: credentialInput(z.strictObject({ oauth_token: secret, oauth_token_secret: secret }), (given) => ({
    type: 'OAUTH1' as const,
    oauthToken: given.oauth_token,
    oauthTokenSecret: given.oauth_token_secret,
    raw: rawOf(given),
  })),
  present: ({ type, oauthToken, oauthTokenSecret, raw }, options) => ({
    type,
    oauth_token: oauthToken,
    oauth_token_secret: oauthTokenSecret,
    raw: presentRaw(raw, options),
  }),
  signer: ({ oauthToken, oauthTokenSecret }, { definition, client }) =>
    oauth1Signer({
      client,
      token: oauthToken,
      tokenSecret: oauthTokenSecret,
      method: signatureMethod(definition),
    }),
  templateValues: ({ oauthToken, oauthTokenSecret }) => ({
    'credentials.oauth_token': oauthToken,
    'credentials.oauth_token_secret': oauthTokenSecret,
  }),
  redirects: ({ authorization_url, request_url, token_url }) =>
    authorization_url !== undefined && request_url !== undefined && token_url !== undefined,
  begin,
  complete,
};
