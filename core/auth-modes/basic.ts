import type { AuthMode } from './auth-mode.ts';
import type { StoredBasic } from './stored-credentials.ts';
import { validityOf } from './validity.ts';

/** User name and password (RFC 7617). */
export const basic: AuthMode<StoredBasic> = {
  name: 'BASIC',
  isProvenByCall: true,
  present: ({ type, username, password }) => ({ type, username, password }),
  validity: (stored) => validityOf(stored),
  sign: ({ username, password }) => ({
    authorization: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`,
  }),
  templateValues: ({ username, password }) => ({
    username,
    password,
    'credentials.username': username,
    'credentials.password': password,
  }),
};
