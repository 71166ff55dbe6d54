import * as z from 'zod';
import { hasSecretKey, JWT_ALGORITHMS, KEY_ENCODINGS } from '../jwt-algorithms.ts';
import { jsonTemplate, textTemplate } from '../templates.ts';
import { params } from './parts.ts';

/**
 * Claims that a definition must not set. The service sets `iat` and `exp`, from the current time and `expires_in_ms`. `nbf` is
 * refused because it, too, would have to be a time, as a number.
 */
const TIME_CLAIMS = ['iat', 'exp', 'nbf'];

const signedJwt = z
  .strictObject({
    signing_key: textTemplate.describe('key that signs the token, e.g. `${credentials.privateKey}`'),
    signing_key_encoding: z
      .enum(KEY_ENCODINGS)
      .optional()
      .describe(
        'encoding of the key; default `utf8` for the secret of HS256, HS384 and HS512, `pem` for the private key of other ' +
          'algorithms. `base64` and `hex` encode the bytes of the secret, or of the private key in DER; `base64` also those of a PEM',
      ),
    certificate: textTemplate
      .optional()
      .describe('certificate of the key as PEM; if it has a value, its thumbprint is the header parameter `x5t#S256`'),
    expires_in_ms: z.int().positive().describe('milliseconds between `iat` and `exp`, which are set by the service'),
    header: z
      .object({ alg: z.enum(JWT_ALGORITHMS).describe('signature algorithm') })
      .catchall(jsonTemplate)
      .describe('header of the token; `typ` defaults to `JWT`'),
    payload: params.describe('claims of the token'),
  })
  .superRefine(({ header, signing_key_encoding: encoding, payload }, check) => {
    const misfit = hasSecretKey(header.alg) ? 'pem' : 'utf8';
    if (encoding === misfit)
      check.addIssue({
        code: 'custom',
        path: ['signing_key_encoding'],
        message: `a key of ${header.alg} cannot be encoded as ${misfit}`,
      });
    for (const claim of TIME_CLAIMS.filter((name) => Object.hasOwn(payload, name)))
      check.addIssue({
        code: 'custom',
        path: ['payload', claim],
        message: `${claim} must not be declared: the service sets the times of a token`,
      });
  });

/** A JWT that a definition describes (RFC 7519). */
export type SignedJwtTemplate = z.infer<typeof signedJwt>;

export const signedToken = {
  token: signedJwt.optional().describe('JWT and APP_STORE: token that authenticates calls, signed with a key of the user'),
  assertion: signedJwt
    .optional()
    .describe(
      'JWT, instead of `token`: signed in the same way, and exchanged at `token_url` for an access token (RFC 7523 §2.1)',
    ),
};
