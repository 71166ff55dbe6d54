import * as z from 'zod';
import { hasSecretKey, JWT_ALGORITHMS } from '../jwt-algorithms.ts';
import { textTemplate } from '../templates.ts';
import { templates, text } from './parts.ts';

const KEY_PAIR_ALGORITHMS = JWT_ALGORITHMS.filter((algorithm) => !hasSecretKey(algorithm));

/**
 * Properties of `provider.json` that say where an OAuth 2.0 server deviates from the standard (RFC 6749 §4.1), such as by other
 * parameter names. Parameters that the security of a flow depends on, such as `state`, cannot be omitted.
 */
export const oauth2 = {
  authorization_param_names: z
    .partialRecord(z.enum(['response_type', 'client_id', 'redirect_uri', 'scope', 'state']), text)
    .optional()
    .describe('names that replace standard parameter names in the authorization URL, e.g. `{"client_id": "app_id"}`'),
  token_param_names: z
    .partialRecord(
      z.enum(['grant_type', 'client_id', 'client_secret', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope']),
      text,
    )
    .optional()
    .describe('names that replace standard parameter names in token requests, e.g. `{"code": "auth_code"}`'),
  omit_params: z
    .strictObject({
      authorization: z.array(z.enum(['response_type', 'client_id', 'redirect_uri', 'scope'])).optional(),
      token: z.array(z.enum(['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'scope'])).optional(),
    })
    .optional()
    .describe(
      'standard parameters that are omitted because the provider does not accept them, in the authorization URL and in token ' +
        'requests',
    ),
  callback_code_param: text.optional().describe('query parameter of the callback that contains the code; default `code`'),
  callback: z
    .strictObject({
      grant: z
        .enum(['authorization_code', 'client_credentials'])
        .optional()
        .describe(
          'default `authorization_code`; `client_credentials`: the callback has no code, and the app gets tokens itself ' +
            '(RFC 6749 §4.4), for an owner that the backend sets in hidden fields',
        ),
      expect: templates.optional().describe('query parameters that the callback must have, with their values'),
    })
    .optional()
    .describe('what the callback contains'),
  client_assertion: z
    .strictObject({
      algorithm: z.enum(KEY_PAIR_ALGORITHMS).optional().describe('signature algorithm; default `RS256`'),
      audience: textTemplate
        .optional()
        .describe('claim `aud`; default: the issuer if URLs are read from its metadata, else the URL of the token endpoint'),
      key_id: textTemplate.optional().describe('header parameter `kid`; omitted if the value of a placeholder is missing'),
    })
    .optional()
    .describe(
      '`private_key_jwt`: the signed assertion; if the app has a certificate, the assertion has the header parameter `x5t#S256`',
    ),
};
