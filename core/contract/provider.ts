import * as z from 'zod';
import { formField } from './form-field.ts';
import { hostPlaceholdersOf, secureUrl, textTemplate, urlTemplate } from './templates.ts';

/** Folder names of providers and plugins; a provider's is its slug. */
export const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

const text = z.string().min(1);
const templates = z.record(text, textTemplate);
const fields = z.record(z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must be letters, digits and underscores'), formField);
const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be a header name');
const headers = z.record(headerName, textTemplate);
const host = z.string().regex(/^[a-z0-9.-]+(:\d{1,5})?$/, 'must be host or host:port, in lower case');
const bodyFormat = z.enum(['form', 'json']);

const proxy = z.strictObject({
  base_url: urlTemplate.describe('the URL to which paths of proxied calls are appended'),
  headers: headers
    .optional()
    .describe('added to every call, overriding those of the mode; an API key that is not used here is sent as a bearer token'),
  query: templates.optional().describe('query parameters added to every call'),
  allowed_hosts: z.array(host).optional().describe('additional hosts that a call may use as its base URL'),
  retry: z
    .strictObject({
      at: headerName.optional().describe('header with the time of the next attempt, in seconds since 1970'),
      after: headerName.optional().describe('header with the delay in seconds'),
      remaining: headerName.optional().describe('header that is 0 while the limit is exceeded'),
      error_code: z
        .string()
        .regex(/^[1-5](\d\d|xx)$/)
        .optional()
        .describe('status that also means "retry later", e.g. `403` or `5xx`'),
    })
    .optional()
    .describe('how the provider signals its rate limits'),
  verification: z
    .strictObject({
      method: z.enum(['GET', 'POST', 'HEAD']).optional().describe('default GET'),
      endpoints: z.array(textTemplate).min(1).describe('paths below the base URL, tried in order; the first 2xx passes'),
      headers: headers.optional().describe('added to this call'),
      expect: z
        .strictObject({ path: text, equals: z.union([z.string(), z.number(), z.boolean()]) })
        .optional()
        .describe(
          'the value at this path in the JSON body of a successful response; another value rejects, also with status 2xx or 4xx',
        ),
      required: z
        .boolean()
        .optional()
        .describe('false: an inconclusive response, such as 404, does not reject entered or imported credentials; default true'),
    })
    .optional()
    .describe('a harmless call that verifies credentials'),
});

const tokenStep = z.strictObject({
  token_url: urlTemplate,
  token_params: templates.optional(),
  token_headers: headers.optional(),
  body_format: bodyFormat.optional(),
});

const definitionFields = z.strictObject({
  $schema: text.optional().describe('path of `provider.schema.json`, for editors'),
  display_name: text.describe('the name that users know'),
  plugin: z
    .string()
    .regex(SLUG)
    .optional()
    .describe("folder of the plugin; default: the provider's own folder, else `generic-oauth`"),
  categories: z.array(text).optional().describe('for search and grouping'),
  docs: secureUrl.describe("the provider's documentation of its API or of its authorization"),
  setup_guide_url: secureUrl.optional().describe('where a developer registers an app, or learns how to'),
  auth_mode: z.string(),
  authorization_url: urlTemplate.optional().describe('where the user is sent; required for the OAuth 2.0 code grant'),
  token_url: urlTemplate
    .optional()
    .describe('token endpoint; required for OAuth 2.0, and for an installed app to get and renew tokens'),
  issuer: urlTemplate
    .optional()
    .describe(
      'the `iss` of authorization responses (RFC 9207), only for servers that always send it: others are rejected; ' +
        'a path segment `{tenant}` matches any segment',
    ),
  authorization_params: templates.optional().describe('query parameters added to the authorization URL'),
  refresh_url: urlTemplate.optional().describe('default: `token_url`'),
  token_params: templates.optional().describe('added to the code exchange, or to the equivalent request of other modes'),
  refresh_params: templates.optional().describe('added to a refresh'),
  token_headers: headers.optional().describe('added to every token request'),
  token_request_auth_method: z.enum(['body', 'basic']).optional().describe('where client ID and secret are sent; default `body`'),
  body_format: bodyFormat.optional().describe('of token requests; default `form`'),
  scope_separator: z.string().min(1).max(3).optional().describe('default: one space'),
  default_scopes: z.array(text).optional().describe('requested if the integration has no scopes'),
  available_scopes: z.array(text).optional().describe('offered in the dashboard'),
  disable_pkce: z.boolean().optional().describe('true only for providers that fail with PKCE'),
  token_expiration_buffer: z.int().nonnegative().optional().describe('seconds before expiry at which a token is renewed'),
  token_lifetime: z
    .int()
    .positive()
    .optional()
    .describe('lifetime of a token in seconds, if no response states it; default: until the provider rejects it'),
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
  redirect_uri_metadata: z
    .array(text)
    .optional()
    .describe('query parameters of the callback that are copied into `connection_config`'),
  request_url: urlTemplate.optional().describe('OAuth 1: where the request token is fetched'),
  signature_method: z
    .enum(['HMAC-SHA1', 'HMAC-SHA256', 'RSA-SHA1', 'PLAINTEXT'])
    .optional()
    .describe('OAuth 1; default `HMAC-SHA1`'),
  token: z
    .strictObject({ signing_key: textTemplate, expires_in_ms: z.int().positive(), header: templates, payload: templates })
    .optional()
    .describe('JWT: the content and key of the token'),
  token_response: z
    .strictObject({
      token: text.describe('path of the token'),
      token_expiration: text.optional().describe('path of its expiry'),
      token_expiration_strategy: z.enum(['expireAt', 'expireIn']).optional().describe('a point in time, or seconds from now'),
      refresh_token: text.optional().describe('path of the refresh token'),
    })
    .optional()
    .describe('two-step and APP: paths in the response; for APP they default to `token` and the date `expires_at`'),
  additional_steps: z.array(tokenStep).optional().describe('two-step: calls after the first, in order'),
  connection_config: fields.optional().describe('form fields of a connection, by name'),
  credentials: fields.optional().describe('form fields of the credentials, by name'),
  integration_config: fields.optional().describe('form fields of an integration, by name'),
  proxy: proxy.optional().describe('how to call the API; without it proxied calls are rejected'),
  webhook: z
    .strictObject({
      signature_header: headerName.optional().describe('header with the signature of a delivery'),
      connection_id_field: text.optional().describe('field of the body, or query parameter, with the connection ID'),
    })
    .optional()
    .describe('names for a plugin that serves several providers'),
});

/** The rules of an auth mode for definitions. */
export interface ModeRules {
  readonly name: string;
  /** Fields that a definition of this mode must have. */
  readonly requires?: readonly ('authorization_url' | 'token_url')[];
}

/** `provider.json`, strictly: unknown fields are rejected, and so are hosts that a user could choose freely. */
export function providerSchema(modes: readonly ModeRules[]) {
  const auth_mode = z.enum(modes.map(({ name }) => name)).describe('how connections are authorized');
  const required = new Map(modes.map(({ name, requires = [] }) => [name, requires]));
  return definitionFields
    .extend({ auth_mode })
    .superRefine((definition, check) => {
      for (const field of required.get(definition.auth_mode) ?? []) {
        if (definition[field] === undefined)
          check.addIssue({ code: 'custom', path: [field], message: `${field} is required for ${definition.auth_mode}` });
      }
    })
    .superRefine(requireBoundHosts);
}

/** A validated definition. */
export type ProviderDefinition = Readonly<z.infer<typeof definitionFields>>;

type Check = z.core.$RefinementCtx<z.infer<typeof definitionFields>>;

const FORMS = {
  connectionConfig: 'connection_config',
  integrationConfig: 'integration_config',
  credentials: 'credentials',
} as const;

/** Secrets are sent to these hosts: a field that is part of one must restrict its values (pattern, format or enum). */
function requireBoundHosts(definition: ProviderDefinition, check: Check): void {
  for (const { path, template } of urlTemplatesOf(definition)) {
    for (const placeholder of hostPlaceholdersOf(template)) {
      if (isBound(definition, placeholder)) continue;
      const message = `"${placeholder}" decides the host: it must be a declared field with a pattern, a format or an enum`;
      check.addIssue({ code: 'custom', path, message });
    }
  }
}

function isBound(definition: ProviderDefinition, placeholder: string): boolean {
  const [group = '', name = ''] = placeholder.split('.', 2);
  const form = Object.hasOwn(FORMS, group) ? definition[FORMS[group as keyof typeof FORMS]] : undefined;
  const field = form !== undefined && Object.hasOwn(form, name) ? form[name] : undefined;
  return (field?.pattern ?? field?.format ?? field?.enum) !== undefined;
}

function urlTemplatesOf(definition: ProviderDefinition): { path: (string | number)[]; template: string }[] {
  const steps = definition.additional_steps ?? [];
  const found = [
    ...(['authorization_url', 'token_url', 'refresh_url', 'request_url'] as const).map((name) => ({
      path: [name],
      template: definition[name],
    })),
    { path: ['proxy', 'base_url'], template: definition.proxy?.base_url },
    ...steps.map((step, index) => ({ path: ['additional_steps', index, 'token_url'], template: step.token_url })),
  ];
  return found.flatMap(({ path, template }) => (template === undefined ? [] : [{ path, template }]));
}
