import type { AuthMode } from './auth-mode.ts';
import { defined, presentRaw } from './presented.ts';
import type { StoredBill } from './stored-credentials.ts';
import { validityOf } from './validity.ts';

/** BILL's sign-in: a developer key, and a session of an organization's user. Both go where the definition puts them. */
export const bill: AuthMode<StoredBill> = {
  name: 'BILL',
  present: (stored, options) =>
    defined({
      type: stored.type,
      username: stored.username,
      password: stored.password,
      organization_id: stored.organizationId,
      dev_key: stored.devKey,
      session_id: stored.sessionId,
      user_id: stored.userId,
      expires_at: stored.expiresAt,
      raw: presentRaw(stored.raw, options),
    }),
  validity: (stored) => validityOf(stored),
  sign: () => ({}),
  templateValues: ({ devKey, sessionId }) => ({
    'credentials.dev_key': devKey,
    ...(sessionId !== undefined && { 'credentials.session_id': sessionId }),
  }),
};
