import * as z from 'zod';
import { textTemplate, urlTemplate } from '../templates.ts';
import { params, text } from './parts.ts';

const endpoint = textTemplate.describe('path below the base URL; called with the new credentials');
const body = params.optional().describe('body, sent as JSON');

/** The request that tells which account at the provider a connection belongs to. */
export const identity = z.strictObject({
  endpoint,
  base_url: urlTemplate.optional().describe('default: `proxy.base_url`'),
  method: z.enum(['GET', 'POST']).optional().describe('default: `GET`, or `POST` if there is a `body`'),
  body,
  account: z
    .strictObject({
      id: text.describe('path of an ID that does not change when the account is renamed'),
      name: text.optional().describe('path of the name by which the user knows the account'),
      email: text.optional(),
      picture: text.optional().describe('path of the https URL of a picture'),
    })
    .describe('paths of the account’s attributes in the JSON response'),
});

/** The requests whose results are read into `connection_config` after authorization. */
export const discover = z
  .array(
    z.strictObject({
      endpoint,
      base_url: urlTemplate.optional().describe('default: `proxy.base_url`'),
      body: body.describe('body, sent as JSON by `POST`; default: `GET` without a body'),
      values: z
        .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must be letters, digits and underscores'), text)
        .describe(
          'paths in the JSON response, or in the chosen entry, by field of `connection_config`; the authorization fails if the ' +
            'value of a declared field without `optional` is missing',
        ),
      choose: z
        .strictObject({
          list: text.describe('path of the list in the response; `$`: the response itself'),
          id: text.describe('path of the ID in an entry'),
          label: text.describe('path of the text that the user sees'),
          field: text.optional().describe('field of `connection_config` that names an entry by its ID or by one of its values'),
        })
        .optional()
        .describe(
          'list from which the user chooses one entry; without a user interface, the first is used unless the session names one',
        ),
    }),
  )
  .refine((entries) => entries.filter(({ choose }) => choose !== undefined).length <= 1, 'only one entry may have `choose`');
