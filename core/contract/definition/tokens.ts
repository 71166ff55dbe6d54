import * as z from 'zod';
import { urlTemplate } from '../templates.ts';
import { bodyFormat, headers, params, requestMethod, text } from './parts.ts';

export const TOKEN_REQUEST_AUTH_METHODS = ['body', 'basic', 'private_key_jwt', 'tls_client_auth'] as const;

/** Members for requests to a token endpoint, and for their responses. */
export const tokens = {
  token_url: urlTemplate
    .optional()
    .describe(
      'token endpoint; required for OAuth 2.0 unless there is an `issuer`, and for an installed app to get and renew tokens; of OAuth 1: for the exchange',
    ),
  token_request_method: requestMethod.optional().describe('default `POST`; `GET` sends the parameters in the query'),
  revocation_url: urlTemplate.optional().describe('where tokens are revoked when a connection is deleted (RFC 7009)'),
  userinfo_url: urlTemplate
    .optional()
    .describe(
      'UserInfo endpoint (OpenID Connect): whose account it is, if there is no `identity` and the scope `openid` is requested',
    ),
  introspection_url: urlTemplate
    .optional()
    .describe('where the expiry of a token is asked for (RFC 7662) if neither a response nor `token_lifetime` states it'),
  refresh_url: urlTemplate.optional().describe('default: `token_url`'),
  token_params: params.optional().describe('added to the code exchange, or to the equivalent request of other modes'),
  refresh_params: params.optional().describe('added to a refresh'),
  token_headers: headers.optional().describe('added to every token request'),
  token_request_auth_method: z
    .enum(TOKEN_REQUEST_AUTH_METHODS)
    .optional()
    .describe(
      'how the app authenticates: client ID and secret in the `body` (default) or by `basic`, a signed assertion of `client_assertion` ' +
        '(RFC 7523), or only by its certificate (RFC 8705)',
    ),
  body_format: bodyFormat
    .optional()
    .describe(
      'of token requests; default `form`; `xml` (two-step, of the response too): a member `@name` of an object is an attribute',
    ),
  token_expiration_buffer: z.int().nonnegative().optional().describe('seconds before expiry at which a token is renewed'),
  token_lifetime: z
    .int()
    .positive()
    .optional()
    .describe(
      'lifetime of a token in seconds, if no response states it; default: as `introspection_url` says, else until the provider rejects it',
    ),
  revoked_codes: z
    .array(text)
    .optional()
    .describe(
      'error codes of the token endpoint after which, as after `invalid_grant`, the user must reauthorize; case-insensitive',
    ),
  expires_in_unit: z.enum(['seconds', 'milliseconds']).optional().describe('default `seconds`'),
  alternate_access_token_response_path: text
    .optional()
    .describe('path of the token if `access_token` is absent, e.g. `authed_user.access_token`'),
  token_response_metadata: z
    .array(text)
    .optional()
    .describe('paths in the token response that are copied into `connection_config`'),
};
