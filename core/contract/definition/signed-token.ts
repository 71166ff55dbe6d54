import * as z from 'zod';
import { textTemplate } from '../templates.ts';
import { params } from './parts.ts';

/** A token that svc signs itself (RFC 7519). */
export const signedToken = {
  token: z
    .strictObject({ signing_key: textTemplate, expires_in_ms: z.int().positive(), header: params, payload: params })
    .optional()
    .describe('JWT: the content and key of the token'),
};
