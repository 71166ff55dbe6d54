import * as z from 'zod';
import { pattern } from '../form-field.ts';
import { urlTemplate } from '../templates.ts';
import { bodyFormat, headers, params, requestMethod, text } from './parts.ts';

const tokenStep = z.strictObject({
  token_url: urlTemplate.describe(
    'URL of the call; may begin with a value of an earlier response, such as `${steps.0.endpoint}`',
  ),
  host_pattern: pattern
    .optional()
    .describe(
      'regular expression (flag `u`) that must match the whole host, including its port if it has one; required if the host ' +
        'comes from a response',
    ),
  token_request_method: requestMethod.optional().describe('default `POST`; `GET` sends `token_params` in the query'),
  token_params: params.optional(),
  token_headers: headers.optional(),
  body_format: bodyFormat.optional().describe('default `form`'),
});

/**
 * Properties of `provider.json` for tokens that are fetched by requests in the provider's own format, which follows no standard.
 */
export const steps = {
  token_response: z
    .strictObject({
      token: text.optional().describe('path of the token'),
      cookies: z
        .array(text)
        .min(1)
        .optional()
        .describe(
          'instead of `token`: names of cookies that together are the token, as in a `Cookie` header (`a=1; b=2`); the ' +
            'response must set the first one',
        ),
      token_expiration: text.optional().describe('path of the token’s expiry'),
      token_expiration_strategy: z
        .enum(['expireAt', 'expireIn'])
        .optional()
        .describe(
          'form of the expiry: `expireAt` (default), a point in time (a date, or the time since 1970), or `expireIn`, a lifetime ' +
            '(a number in `expires_in_unit`, or `HH:MM:SS`)',
        ),
      refresh_token: text.optional().describe('path of the refresh token'),
      error: z
        .array(text)
        .min(1)
        .optional()
        .describe('paths of error codes: a response with a value at one of them reports a failure, whatever its status'),
    })
    .refine(({ token, cookies }) => token !== undefined || cookies !== undefined, 'must name the token or its cookies')
    .optional()
    .describe('paths in the response to the (last) token request; for APP, the defaults are `token` and the date `expires_at`'),
  additional_steps: z
    .array(tokenStep)
    .max(4)
    .optional()
    .describe(
      'TWO_STEP and BILL: calls after the first, in order; their templates may use values of earlier responses, as `${steps.0.path}`',
    ),
};
