import * as z from 'zod';
import type { AuthMode, ModeInput } from '../auth-mode.ts';
import { bearer, tokenValues } from '../building-blocks/bearer-token.ts';
import { credentialInput } from '../building-blocks/credential-input.ts';
import { firstToken } from '../building-blocks/first-token.ts';
import { defined, expires_at, text } from '../building-blocks/presented.ts';
import { keyFieldsOf, keyMembers, namesOf, otherMember } from '../building-blocks/signed-jwt/key-fields.ts';
import { checkKeyFields, KEY_EXAMPLE } from '../building-blocks/signed-jwt/key-form.ts';
import type { StoredJwt } from './stored.ts';
import { withNewToken } from './token.ts';

const entered = credentialInput(
  z.object({ ...keyMembers, type: z.literal('JWT').optional() }).catchall(otherMember),
  (given) => ({ type: 'JWT' as const, ...keyFieldsOf(given) }),
);

/**
 * A token that a private key of the user signs (RFC 7519). It is sent with each call or, if the definition has an `assertion`,
 * exchanged for an access token (RFC 7523 §2.1).
 */
export const jwt: AuthMode<StoredJwt> = {
  name: 'JWT',
  requires: ['credentials'],
  requiresOneOf: ['token', 'assertion'],
  reads: ['token_params', 'token_headers'],
  app: ['scopes'],
  // That a token can be signed proves nothing: the provider may not know the key.
  isProvenByCall: true,
  presented: z.strictObject({
    type: z.literal('JWT'),
    privateKey: z.union([text, z.strictObject({ id: text, secret: text })]),
    privateKeyId: text.optional(),
    issuerId: text.optional(),
    token: text.optional(),
    expires_at,
  }),
  form: {
    ...entered,
    hasDeclaredFields: true,
    path: '/auth/jwt',
    operationId: 'connectWithJwt',
    summary: 'Connect with a private key that signs tokens; the fields are the `credentials` of the provider’s definition',
    example: KEY_EXAMPLE,
    fields: {},
    check,
  },
  present: (stored) =>
    defined({
      type: stored.type,
      privateKey: typeof stored.privateKey === 'string' ? stored.privateKey : { ...stored.privateKey },
      privateKeyId: stored.privateKeyId,
      issuerId: stored.issuerId,
      token: stored.token,
      expires_at: stored.expiresAt,
    }),
  sign: ({ token }) => bearer(token),
  templateValues: (stored) => ({ ...namesOf(stored), ...tokenValues(stored.token) }),
  prepare: (deps, input, stored) => firstToken(() => withNewToken(deps, input, stored)),
  refresh: withNewToken,
};

/** Checks that the entered key can sign the definition's token. @throws ServiceError `invalid_body` if it cannot */
function check(given: z.output<typeof entered.members>, input: ModeInput): void {
  const template = input.definition.assertion ?? input.definition.token;
  if (template !== undefined) checkKeyFields(template, input, keyFieldsOf(given));
}
