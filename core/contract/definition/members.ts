import * as z from 'zod';
import { textTemplate, urlTemplate } from '../templates.ts';
import { about } from './about.ts';
import { discover, identity } from './account.ts';
import { authorization } from './authorization.ts';
import { installation } from './installation.ts';
import { oauth2 } from './oauth2.ts';
import { fieldName, fields, headerName, params, text } from './parts.ts';
import { proxy } from './proxy.ts';
import { signedToken } from './signed-token.ts';
import { steps } from './steps.ts';
import { tokens } from './tokens.ts';
import { webhook } from './webhook.ts';

/** Members for requests that are signed with credentials that the user entered. */
const requestSignature = {
  signature: z
    .strictObject({
      protocol: z.literal('WSSE').describe('a `UsernameToken` in a header: a digest of nonce, time and password'),
      header: headerName.optional().describe('default `X-WSSE`'),
      digest: z
        .enum(['binary', 'hex'])
        .optional()
        .describe('what base64 encodes: the bytes of the SHA-1 digest (default), or their hex digits'),
    })
    .optional()
    .describe(
      'SIGNATURE: how each request is signed; with `token_lifetime` a connection also has a token, the value of such a header, ' +
        'for applications that call the API themselves',
    ),
};

/** Members for OAuth 1.0 (RFC 5849). */
const oauth1 = {
  request_url: urlTemplate.optional().describe('OAuth 1: where the request token is fetched'),
  request_params: params.optional().describe('OAuth 1: added to the request for the request token'),
  signature_method: z
    .enum(['HMAC-SHA1', 'HMAC-SHA256', 'RSA-SHA1', 'PLAINTEXT'])
    .optional()
    .describe('OAuth 1; default `HMAC-SHA1`'),
};

/** Members for servers of the Model Context Protocol. */
const mcp = {
  mcp_server_url: urlTemplate
    .optional()
    .describe('MCP_OAUTH2: the MCP server; it says itself where users authorize (RFC 9728) and how clients register'),
};

const KEY = /^[A-Za-z][\w-]*$/;
/** Matches a value that holds no placeholder: values of maps are final, and a placeholder would be sent as it stands. */
const VALUE = /^(?!http:)(?:(?!\$\{)\P{Cc})+$/iu;
/** Values that depend on another one, such as the hosts of a region. */
const maps = z.record(
  fieldName,
  z.record(
    text,
    z.record(
      z.string().regex(KEY, 'must be letters, digits, underscores and hyphens'),
      z.string().regex(VALUE, 'must not contain a placeholder or a control character, and must not be an http: URL'),
    ),
  ),
);

/** Members for requests that are signed with AWS Signature Version 4. */
const awsSigV4 = {
  aws_sigv4: z
    .strictObject({
      service: textTemplate.describe('the name of the service in signatures, e.g. `s3`; bodies are streamed to `s3` only'),
      region: textTemplate.describe('the region in signatures'),
    })
    .optional()
    .describe('AWS: how requests are signed, as a role that is assumed at `token_url` (AWS STS)'),
};

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
