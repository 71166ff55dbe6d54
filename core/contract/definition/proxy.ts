import * as z from 'zod';
import { secureUrl, textTemplate, urlTemplate } from '../templates.ts';
import { apiKeyPlace } from './api-key.ts';
import { headerName, headers, params, templates, text } from './parts.ts';

const host = z.string().regex(/^[a-z0-9.-]+(:\d{1,5})?$/, 'must be host or host:port, in lower case');

const limit = z.strictObject({
  requests: z.int().positive(),
  seconds: z.int().positive().describe('period in which that number of requests is allowed, in seconds'),
  per: z.enum(['user', 'account', 'app', 'address']).optional().describe('whose requests are counted together'),
  docs: secureUrl.describe('page where the provider documents the limit'),
});

const verification = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'HEAD']).optional().describe('default: `GET`, or `POST` if there is a `body`'),
    base_url: urlTemplate.optional().describe('default: `proxy.base_url`'),
    endpoints: z
      .array(textTemplate)
      .min(1)
      .describe('paths below the base URL, tried in order; the first one with status 2xx verifies the credentials'),
    headers: headers.optional().describe('headers added to this call'),
    body: params.optional().describe('body, sent as JSON'),
    expect: z
      .strictObject({ path: text, equals: z.union([z.string(), z.number(), z.boolean()]) })
      .optional()
      .describe(
        'value at `path` in the JSON body of a successful response; any other value rejects the credentials, even with status ' +
          '2xx or 4xx',
      ),
    required: z
      .boolean()
      .optional()
      .describe('default `true`; false: an inconclusive response, such as 404, does not reject entered or imported credentials'),
  })
  .refine(({ method, body }) => body === undefined || method === undefined || method === 'POST', {
    path: ['body'],
    message: 'only a POST has a body',
  });

/** The property `proxy` of `provider.json`: how the provider's API is called. */
export const proxy = z.strictObject({
  base_url: urlTemplate.describe('URL to which the paths of proxied calls are appended'),
  headers: headers.optional().describe('headers added to every call; they override those of the auth mode'),
  query: templates.optional().describe('query parameters added to every call'),
  api_key: apiKeyPlace
    .optional()
    .describe('where the API key is sent; default: as a bearer token, unless a template contains it'),
  allowed_hosts: z.array(host).optional().describe('additional hosts that a call may use as its base URL'),
  retry: z
    .strictObject({
      at: headerName.optional().describe('header with the time of the next retry, in seconds since 1970'),
      after: headerName.optional().describe('header with the delay in seconds'),
      remaining: headerName.optional().describe('header that is 0 while the limit is exceeded'),
      error_code: z
        .string()
        .regex(/^[1-5](\d\d|xx)$/)
        .optional()
        .describe('status that also means "retry later", e.g. `403` or `5xx`'),
    })
    .optional()
    .describe('how the provider indicates that a rate limit is exceeded'),
  limits: z
    .array(limit)
    .min(1)
    .optional()
    .describe('rate limits that the provider documents; shown in the catalogue, but not enforced'),
  verification: verification.optional().describe('harmless call that verifies credentials'),
});
