import * as z from 'zod';
import type { AuthMode } from '../auth-mode.ts';
import { bearer, tokenValues } from '../bearer-token.ts';
import { defined, expires_at, text } from '../presented.ts';
import type { Expiring } from '../stored-credentials.ts';

interface StoredJwt extends Expiring {
  readonly type: 'JWT';
  readonly privateKey: string | { readonly id: string; readonly secret: string };
  readonly privateKeyId?: string;
  readonly issuerId?: string;
  readonly token?: string;
}

/** A token that is signed with a private key of the user's (RFC 7519). */
export const jwt: AuthMode<StoredJwt> = {
  name: 'JWT',
  presented: z.strictObject({
    type: z.literal('JWT'),
    privateKey: z.union([text, z.strictObject({ id: text, secret: text })]),
    privateKeyId: text.optional(),
    issuerId: text.optional(),
    token: text.optional(),
    expires_at,
  }),
  present: (stored) =>
    defined({
      type: stored.type,
      privateKey: stored.privateKey,
      privateKeyId: stored.privateKeyId,
      issuerId: stored.issuerId,
      token: stored.token,
      expires_at: stored.expiresAt,
    }),
  sign: ({ token }) => bearer(token),
  templateValues: ({ token }) => tokenValues(token),
};
