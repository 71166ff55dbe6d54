import type { AuthMode } from './auth-mode.ts';
import { bearer } from './bearer.ts';
import { defined } from './presented.ts';
import type { StoredJwt } from './stored-credentials.ts';
import { tokenValues } from './token-values.ts';
import { validityOf } from './validity.ts';

/** A token that is signed with a private key of the user's (RFC 7519). */
export const jwt: AuthMode<StoredJwt> = {
  name: 'JWT',
  present: (stored) =>
    defined({
      type: stored.type,
      privateKey: stored.privateKey,
      privateKeyId: stored.privateKeyId,
      issuerId: stored.issuerId,
      token: stored.token,
      expires_at: stored.expiresAt,
    }),
  validity: (stored) => validityOf(stored),
  sign: ({ token }) => bearer(token),
  templateValues: ({ token }) => tokenValues(token),
};
