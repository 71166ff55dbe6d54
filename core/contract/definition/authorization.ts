import * as z from 'zod';
import { urlTemplate } from '../templates.ts';
import { templates, text } from './parts.ts';

const scope = z.strictObject({
  name: text,
  description: text.optional().describe('what it allows'),
  sensitive: z.boolean().optional().describe('true: the provider reviews apps that request it'),
});
const scopes = z.array(z.union([text, scope]));

/** Members that say how a browser is sent to the provider, and what it brings back. */
export const authorization = {
  authorization_url: urlTemplate
    .optional()
    .describe('where the user is sent; required for the OAuth 2.0 code grant unless there is an `issuer`'),
  issuer: urlTemplate
    .optional()
    .describe(
      'the authorization server: URLs that are missing are read from its metadata (RFC 8414); if none is missing, it is the `iss` that ' +
        'every authorization response must carry (RFC 9207), and a path segment `{tenant}` matches any segment',
    ),
  authorization_params: templates.optional().describe('query parameters added to the authorization URL'),
  scope_separator: z.string().min(1).max(3).optional().describe('default: one space'),
  default_scopes: scopes.optional().describe('requested if the integration has no scopes; as in `available_scopes`'),
  user_scopes: scopes
    .optional()
    .describe(
      'scopes for a token of the user, requested as `user_scope` beside those of an app or a bot; `user_scopes` of a session ' +
        'replaces them',
    ),
  available_scopes: scopes
    .optional()
    .describe('offered in the dashboard, as names or with `name`, `description` and `sensitive`'),
  disable_pkce: z.boolean().optional().describe('true only for providers that fail with PKCE'),
  redirect_uri_metadata: z
    .array(text)
    .optional()
    .describe('query parameters of the callback that are copied into `connection_config`'),
};
