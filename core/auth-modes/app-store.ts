import type { AuthMode } from './auth-mode.ts';
import { bearer } from './bearer.ts';
import { defined, presentRaw } from './presented.ts';
import type { StoredAppStore } from './stored-credentials.ts';
import { validityOf } from './validity.ts';

/** A token signed with the key of an app store's team. */
export const appStore: AuthMode<StoredAppStore> = {
  name: 'APP_STORE',
  present: (stored, options) =>
    defined({
      type: stored.type,
      access_token: stored.accessToken,
      private_key: stored.privateKey,
      expires_at: stored.expiresAt,
      raw: presentRaw(stored.raw, options),
    }),
  validity: (stored) => validityOf(stored),
  sign: ({ accessToken }) => bearer(accessToken),
  templateValues: ({ accessToken }) => ({ accessToken, 'credentials.access_token': accessToken }),
};
