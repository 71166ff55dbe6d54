import * as z from 'zod';
import { urlTemplate } from '../templates.ts';
import { text } from './parts.ts';

/** Properties of `provider.json` for apps that users install at the provider. */
export const installation = {
  installation: z
    .strictObject({
      user_token_url: urlTemplate.describe('token endpoint for users’ tokens'),
      user_installations: z
        .strictObject({
          url: urlTemplate,
          list: text.describe('path of the list in the response'),
          id: text.describe('path of the installation’s ID in an entry'),
        })
        .describe(
          'request for the installations that a user may use, sent with the user’s token; further pages as in RFC 8288 ' +
            '(`rel="next"`)',
        ),
      suspended: z
        .strictObject({ status: z.int().min(400).max(499), path: text, equals: text })
        .optional()
        .describe('response to a token request for a suspended installation; the user must then reauthorize'),
    })
    .optional()
    .describe('APP and CUSTOM: how it is verified that a user may use an installation; required to connect with CUSTOM'),
};
