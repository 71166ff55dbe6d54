import type { AuthMode } from './auth-mode.ts';
import { bearer } from './bearer.ts';
import { defined } from './presented.ts';
import type { StoredSignature } from './stored-credentials.ts';
import { tokenValues } from './token-values.ts';
import { validityOf } from './validity.ts';

/** User name and password, from which a token is signed. */
export const signature: AuthMode<StoredSignature> = {
  name: 'SIGNATURE',
  present: ({ type, username, password, token, expiresAt }) =>
    defined({ type, username, password, token, expires_at: expiresAt }),
  validity: (stored) => validityOf(stored),
  sign: ({ token }) => bearer(token),
  templateValues: ({ username, password, token }) => ({
    username,
    password,
    'credentials.username': username,
    'credentials.password': password,
    ...tokenValues(token),
  }),
};
