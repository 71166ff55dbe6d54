import * as z from 'zod';
import { urlTemplate } from '../templates.ts';
import { params } from './parts.ts';

/** OAuth 1.0 (RFC 5849). */
export const oauth1 = {
  request_url: urlTemplate.optional().describe('OAuth 1: where the request token is fetched'),
  request_params: params.optional().describe('OAuth 1: added to the request for the request token'),
  signature_method: z
    .enum(['HMAC-SHA1', 'HMAC-SHA256', 'RSA-SHA1', 'PLAINTEXT'])
    .optional()
    .describe('OAuth 1; default `HMAC-SHA1`'),
};
