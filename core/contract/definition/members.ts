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

/** Properties for requests that are signed with credentials that the user entered. */
const requestSignature = {
  signature: z
    .strictObject({
      protocol: z
        .literal('WSSE')
        .describe('`WSSE`: a header with a `UsernameToken`, which contains a digest of nonce, time and password'),
      header: headerName.optional().describe('name of the header; default `X-WSSE`'),
      digest: z
        .enum(['binary', 'hex'])
        .optional()
        .describe('whether base64 encodes the bytes of the SHA-1 digest (`binary`, default) or its hex digits (`hex`)'),
    })
    .optional()
    .describe(
      'SIGNATURE: how each request is signed; with `token_lifetime`, a connection also has a token: the value of such a ' +
        'header, for applications that call the API themselves',
    ),
};

/** Properties for OAuth 1.0 (RFC 5849). */
const oauth1 = {
  request_url: urlTemplate.optional().describe('OAuth 1: URL from which the request token is fetched'),
  request_params: params.optional().describe('OAuth 1: parameters added to the request for the request token'),
  signature_method: z
    .enum(['HMAC-SHA1', 'HMAC-SHA256', 'RSA-SHA1', 'PLAINTEXT'])
    .optional()
    .describe('OAuth 1: signature method; default `HMAC-SHA1`'),
};

/** Properties for servers of the Model Context Protocol. */
const mcp = {
  mcp_server_url: urlTemplate
    .optional()
    .describe('MCP_OAUTH2: URL of the MCP server, which states where users authorize (RFC 9728) and how clients register'),
};

const KEY = /^[A-Za-z][\w-]*$/;
/** Matches a value without placeholders: values of maps are not filled in, so a placeholder would be sent literally. */
const VALUE = /^(?!http:)(?:(?!\$\{)\P{Cc})+$/iu;
/** Tables of values that depend on a form field, such as the hosts of each region: by the field's name, its value, and a name. */
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

/** Properties for requests that are signed with AWS Signature Version 4. */
const awsSigV4 = {
  aws_sigv4: z
    .strictObject({
      service: textTemplate.describe('name of the service in signatures, e.g. `s3`; request bodies are streamed only for `s3`'),
      region: textTemplate.describe('region in signatures'),
    })
    .optional()
    .describe('AWS_SIGV4: how requests are signed with the credentials of a role, which is assumed at `token_url` (AWS STS)'),
};

/** The properties of `provider.json`. */
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
      'values that depend on a field with an `enum`: by the name of the field, then by its value; used in templates as ' +
        '`${maps.<field>.<name>}`',
    ),
  identity: identity.optional().describe('request that identifies the provider account; sent after each authorization'),
  discover: discover
    .optional()
    .describe('requests, sent in order after each authorization, whose results are stored in `connection_config`'),
  proxy: proxy.optional().describe('how the API is called; without it, proxied calls are rejected'),
  webhook: webhook.optional().describe('how the provider’s deliveries are verified and read'),
});

/** A validated definition. */
export type ProviderDefinition = Readonly<z.infer<typeof members>>;
