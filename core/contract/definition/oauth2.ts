import * as z from 'zod';
import { hasSecretKey, JWT_ALGORITHMS } from '../jwt-algorithms.ts';
import { textTemplate } from '../templates.ts';
import { templates, text } from './parts.ts';

const KEY_PAIR_ALGORITHMS = JWT_ALGORITHMS.filter((algorithm) => !hasSecretKey(algorithm));

/**
 * Members that say where an OAuth 2.0 server deviates from the standard's names (RFC 6749 §4.1). Parameters that a flow's
 * safety depends on cannot be left out.
 */
export const oauth2 = {
  authorization_param_names: z
    .partialRecord(z.enum(['response_type', 'client_id', 'redirect_uri', 'scope', 'state']), text)
    .optional()
    .describe('other names of parameters of the authorization URL, e.g. `{"client_id": "app_id"}`'),
  token_param_names: z
    .partialRecord(
      z.enum(['grant_type', 'client_id', 'client_secret', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope']),
      text,
    )
    .optional()
    .describe('other names of parameters of token requests, e.g. `{"code": "auth_code"}`'),
  omit_params: z
    .strictObject({
      authorization: z.array(z.enum(['response_type', 'client_id', 'redirect_uri', 'scope'])).optional(),
      token: z.array(z.enum(['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'scope'])).optional(),
    })
    .optional()
    .describe('standard parameters that the provider does not take, in the authorization URL and in token requests'),
  callback_code_param: text.optional().describe('query parameter of the callback that holds the code; default `code`'),
  callback: z
    .strictObject({
      grant: z
        .enum(['authorization_code', 'client_credentials'])
        .optional()
        .describe(
          'default `authorization_code`; `client_credentials`: no code comes back, and the app gets tokens by itself (RFC 6749 §4.4), of an ' +
            'owner that the backend fixes in hidden fields',
        ),
      expect: templates.optional().describe('query parameters and the values that they must have'),
    })
    .optional()
    .describe('what the browser brings back'),
  client_assertion: z
    .strictObject({
      algorithm: z.enum(KEY_PAIR_ALGORITHMS).optional().describe('default `RS256`'),
      audience: textTemplate
        .optional()
        .describe('the claim `aud`; default: the issuer if URLs are read from its metadata, else the URL of the token endpoint'),
      key_id: textTemplate.optional().describe('the header `kid`; left out where a value of it is missing'),
    })
    .optional()
    .describe('`private_key_jwt`: the signed assertion; with a certificate it has the header `x5t#S256`'),
};
