import * as z from 'zod';
import { textTemplate, urlTemplate } from '../templates.ts';
import { params, text } from './parts.ts';

const endpoint = textTemplate.describe('path below the base URL; called with the new credentials');
const body = params.optional().describe('sent as JSON');

/** The request that tells which account at the provider a connection belongs to. */
export const identity = z.strictObject({
  endpoint,
  base_url: urlTemplate.optional().describe('default: `proxy.base_url`'),
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

/** The requests whose results are read into `connection_config` after authorization. */
export const discover = z
  .array(
    z.strictObject({
      endpoint,
      base_url: urlTemplate.optional().describe('default: `proxy.base_url`'),
      body: body.describe('sent as JSON with POST; default: GET without a body'),
      values: z
        .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must be letters, digits and underscores'), text)
        .describe(
          'paths in the JSON response, or in the chosen entry, by field of `connection_config`; without a value of a field that ' +
            'is declared there, and not `optional`, the authorization fails',
        ),
      choose: z
        .strictObject({
          list: text.describe('path of a list in the response; `$`: the response itself'),
          id: text.describe('path of an ID in an entry'),
          label: text.describe('path of what the user reads'),
          field: text.optional().describe('field of `connection_config` that names an entry by its ID or by one of its values'),
        })
        .optional()
        .describe('the user picks one of several; without a user interface the first counts, unless the session names one'),
    }),
  )
  .refine((entries) => entries.filter(({ choose }) => choose !== undefined).length <= 1, 'only one entry may have `choose`');
