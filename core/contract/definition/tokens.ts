import * as z from 'zod';
import { urlTemplate } from '../templates.ts';
import { bodyFormat, headers, params, requestMethod, text } from './parts.ts';

export const TOKEN_REQUEST_AUTH_METHODS = ['body', 'basic', 'private_key_jwt', 'tls_client_auth'] as const;

/** Properties of `provider.json` for requests to a token endpoint, and for their responses. */
export const tokens = {
  token_url: urlTemplate
    .optional()
    .describe(
      'token endpoint; required for OAuth 2.0 unless there is an `issuer`, and for an installed app to get and refresh tokens; ' +
        'OAuth 1: URL where the request token is exchanged',
    ),
  token_request_method: requestMethod.optional().describe('default `POST`; `GET` sends the parameters in the query'),
  revocation_url: urlTemplate.optional().describe('URL where tokens are revoked when a connection is deleted (RFC 7009)'),
  userinfo_url: urlTemplate
    .optional()
    .describe(
      'UserInfo endpoint (OpenID Connect); identifies the provider account if there is no `identity` and the scope `openid` is ' +
        'requested',
    ),
  introspection_url: urlTemplate
    .optional()
    .describe(
      'introspection endpoint (RFC 7662); queried for the expiry of a token if neither a response nor `token_lifetime` states it',
    ),
  refresh_url: urlTemplate.optional().describe('URL of refresh requests; default: `token_url`'),
  token_params: params.optional().describe('parameters added to the code exchange, or to the equivalent request of other modes'),
  refresh_params: params.optional().describe('parameters added to refresh requests'),
  token_headers: headers.optional().describe('headers added to every token request'),
  token_request_auth_method: z
    .enum(TOKEN_REQUEST_AUTH_METHODS)
    .optional()
    .describe(
      'how the app authenticates: with client ID and secret in the `body` (default) or by `basic`, with a signed assertion as ' +
        'described by `client_assertion` (RFC 7523), or only with its certificate (RFC 8705)',
    ),
  body_format: bodyFormat
    .optional()
    .describe(
      'format of token requests; default `form`; `xml` (two-step: also of the response): a member `@name` of an object is ' +
        'an attribute',
    ),
  token_expiration_buffer: z.int().nonnegative().optional().describe('seconds before expiry at which a token is refreshed'),
  token_lifetime: z
    .int()
    .positive()
    .optional()
    .describe(
      'lifetime of a token in seconds, if no response states it; default: as stated by `introspection_url`, else until the ' +
        'provider rejects the token',
    ),
  revoked_codes: z
    .array(text)
    .optional()
    .describe('error codes of the token endpoint that, like `invalid_grant`, require the user to reauthorize; case-insensitive'),
  expires_in_unit: z
    .enum(['seconds', 'milliseconds'])
    .optional()
    .describe('unit of lifetimes in token responses; default `seconds`'),
  alternate_access_token_response_path: text
    .optional()
    .describe('path of the token if `access_token` is absent, e.g. `authed_user.access_token`'),
  token_response_metadata: z
    .array(text)
    .optional()
    .describe('paths in the token response that are copied into `connection_config`'),
};
