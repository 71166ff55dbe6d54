import * as z from 'zod';
import { urlTemplate } from '../templates.ts';
import { bodyFormat, headers, params, text } from './parts.ts';

const tokenStep = z.strictObject({
  token_url: urlTemplate,
  token_params: params.optional(),
  token_headers: headers.optional(),
  body_format: bodyFormat.optional(),
});

/** Tokens that are fetched by calls of the provider's own. */
export const steps = {
  token_response: z
    .strictObject({
      token: text.describe('path of the token'),
      token_expiration: text.optional().describe('path of its expiry'),
      token_expiration_strategy: z.enum(['expireAt', 'expireIn']).optional().describe('a point in time, or seconds from now'),
      refresh_token: text.optional().describe('path of the refresh token'),
    })
    .optional()
    .describe('paths in the response of a token request; for APP they default to `token` and the date `expires_at`'),
  additional_steps: z.array(tokenStep).optional().describe('two-step: calls after the first, in order'),
};
