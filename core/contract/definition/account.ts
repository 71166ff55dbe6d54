import * as z from 'zod';
import { textTemplate } from '../templates.ts';
import { params, text } from './parts.ts';

const endpoint = textTemplate.describe('path below the base URL; called with the new credentials');
const body = params.optional().describe('sent as JSON');

/** Whose account it is. */
export const identity = z.strictObject({
  endpoint,
  method: z.enum(['GET', 'POST']).optional().describe('default: GET, with a body POST'),
  body,
  account: z
    .strictObject({
      id: text.describe('an ID that stays when the account is renamed'),
      name: text.optional().describe('as the user knows the account'),
      email: text.optional(),
      picture: text.optional().describe('an https URL'),
    })
    .describe('paths in the JSON response'),
});
