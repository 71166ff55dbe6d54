import * as z from 'zod';
import { urlTemplate } from '../templates.ts';
import { templates, text } from './parts.ts';

const scope = z.strictObject({
  name: text,
  description: text.optional().describe('what the scope allows'),
  sensitive: z.boolean().optional().describe('true: the provider reviews apps that request the scope'),
});
const scopes = z.array(z.union([text, scope]));

/**
 * Properties of `provider.json` that say how a browser is sent to the provider, and which values it brings back in the callback.
 */
export const authorization = {
  authorization_url: urlTemplate
    .optional()
    .describe('URL where the user authorizes; required for the OAuth 2.0 code grant unless there is an `issuer`'),
  issuer: urlTemplate
    .optional()
    .describe(
      'issuer of the authorization server: missing URLs are read from its metadata (RFC 8414); if none is missing, every ' +
        'authorization response must contain it as `iss` (RFC 9207), and a path segment `{tenant}` matches any segment',
    ),
  authorization_params: templates.optional().describe('query parameters added to the authorization URL'),
  scope_separator: z.string().min(1).max(3).optional().describe('separator between scopes; default: one space'),
  default_scopes: scopes.optional().describe('scopes requested if the integration has none; same format as `available_scopes`'),
  user_scopes: scopes
    .optional()
    .describe(
      'scopes for a token of the user, requested as `user_scope` in addition to those of an app or a bot; `user_scopes` of a ' +
        'session replaces them',
    ),
  available_scopes: scopes
    .optional()
    .describe('scopes offered in the dashboard, as names or as objects with `name`, `description` and `sensitive`'),
  disable_pkce: z.boolean().optional().describe('true: PKCE is not used; only for providers that fail with it'),
  redirect_uri_metadata: z
    .array(text)
    .optional()
    .describe('query parameters of the callback that are copied into `connection_config`'),
};
