import * as z from 'zod';
import { textTemplate } from '../templates.ts';

/** Requests that are signed with AWS Signature Version 4. */
export const awsSigV4 = {
  aws_sigv4: z
    .strictObject({
      service: textTemplate.describe('the name of the service in signatures, e.g. `s3`; bodies are streamed to `s3` only'),
      region: textTemplate.describe('the region in signatures'),
    })
    .optional()
    .describe('AWS: how requests are signed, as a role that is assumed at `token_url` (AWS STS)'),
};
