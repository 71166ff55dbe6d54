import type { AuthMode } from './auth-mode.ts';
import type { StoredNone } from './stored-credentials.ts';
import { validityOf } from './validity.ts';

/** An API that asks nobody who they are. */
export const none: AuthMode<StoredNone> = {
  name: 'NONE',
  present: () => ({}),
  validity: (stored) => validityOf(stored),
  sign: () => ({}),
  templateValues: () => ({}),
};
