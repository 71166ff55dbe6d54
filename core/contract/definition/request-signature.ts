import * as z from 'zod';
import { headerName } from './parts.ts';

/** Requests that are signed with what the user entered. */
export const requestSignature = {
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
