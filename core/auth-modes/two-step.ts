import type { AuthMode } from './auth-mode.ts';
import { bearer } from './bearer.ts';
import { defined, presentRaw } from './presented.ts';
import type { StoredTwoStep } from './stored-credentials.ts';
import { tokenValues } from './token-values.ts';
import { validityOf } from './validity.ts';

/** A token that a provider's own sign-in call answers. */
export const twoStep: AuthMode<StoredTwoStep> = {
  name: 'TWO_STEP',
  present: (stored, options) =>
    defined({
      type: stored.type,
      token: stored.token,
      expires_at: stored.expiresAt,
      raw: presentRaw(stored.raw, options),
    }),
  validity: (stored) => validityOf(stored),
  sign: ({ token }) => bearer(token),
  templateValues: ({ token }) => tokenValues(token),
};
