import * as z from 'zod';
import { secureUrl, textTemplate, urlTemplate } from '../templates.ts';
import { apiKeyPlace } from './api-key.ts';
import { headerName, headers, params, templates, text } from './parts.ts';

const host = z.string().regex(/^[a-z0-9.-]+(:\d{1,5})?$/, 'must be host or host:port, in lower case');

const limit = z.strictObject({
  requests: z.int().positive(),
  seconds: z.int().positive().describe('the time in which so many requests are allowed'),
  per: z.enum(['user', 'account', 'app', 'address']).optional().describe('whose requests are counted'),
  docs: secureUrl.describe('where the provider documents it'),
});

const verification = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'HEAD']).optional().describe('default GET, with a body POST'),
    base_url: urlTemplate.optional().describe('default: that of the API'),
    endpoints: z.array(textTemplate).min(1).describe('paths below the base URL, tried in order; the first 2xx passes'),
    headers: headers.optional().describe('added to this call'),
    body: params.optional().describe('sent as JSON'),
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
  .refine(({ method, body }) => body === undefined || method === undefined || method === 'POST', {
    path: ['body'],
    message: 'only a POST has a body',
  });

/** The member that says how the provider's API is called. */
export const proxy = z.strictObject({
  base_url: urlTemplate.describe('the URL to which paths of proxied calls are appended'),
  headers: headers.optional().describe('added to every call, overriding those of the mode'),
  query: templates.optional().describe('query parameters added to every call'),
  api_key: apiKeyPlace.optional().describe('where an API key goes; default: unless the templates use it, it is a bearer token'),
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
  limits: z
    .array(limit)
    .min(1)
    .optional()
    .describe('limits that the provider documents, for the catalogue; calls are not held back by them'),
  verification: verification.optional().describe('a harmless call that verifies credentials'),
});
