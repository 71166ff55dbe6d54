import * as z from 'zod';
import { about } from './about.ts';
import { discover, identity } from './account.ts';
import { authorization } from './authorization.ts';
import { awsSigV4 } from './aws-sigv4.ts';
import { installation } from './installation.ts';
import { maps } from './maps.ts';
import { mcp } from './mcp.ts';
import { oauth1 } from './oauth1.ts';
import { oauth2 } from './oauth2.ts';
import { fields } from './parts.ts';
import { proxy } from './proxy.ts';
import { requestSignature } from './request-signature.ts';
import { signedToken } from './signed-token.ts';
import { steps } from './steps.ts';
import { tokens } from './tokens.ts';
import { webhook } from './webhook.ts';

/** The members of `provider.json`. */
export const members = z.strictObject({
  ...about,
  auth_mode: z.string(),
  ...authorization,
  ...tokens,
  ...oauth2,
  ...oauth1,
  ...mcp,
  ...installation,
  ...signedToken,
  ...requestSignature,
  ...awsSigV4,
  ...steps,
  connection_config: fields.optional().describe('form fields of a connection, by name'),
  credentials: fields.optional().describe('form fields of the credentials, by name'),
  integration_config: fields.optional().describe('form fields of an integration, by name'),
  maps: maps
    .optional()
    .describe(
      'values that depend on a field: by the name of the field, which has an `enum`, and by its value; in templates ' +
        '`${maps.<field>.<name>}`',
    ),
  identity: identity.optional().describe('whose account it is; asked after each authorization'),
  discover: discover.optional().describe('what is read into `connection_config` after each authorization, in order'),
  proxy: proxy.optional().describe('how to call the API; without it proxied calls are rejected'),
  webhook: webhook.optional().describe('how deliveries of the provider are verified and read'),
});

/** A validated definition. */
export type ProviderDefinition = Readonly<z.infer<typeof members>>;
