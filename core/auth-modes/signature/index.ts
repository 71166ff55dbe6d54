import * as z from 'zod';
import type { AuthMode } from '../auth-mode.ts';
import { bearer, tokenValues } from '../bearer-token.ts';
import { defined, expires_at, text } from '../presented.ts';
import type { Expiring } from '../stored-credentials.ts';

interface StoredSignature extends Expiring {
  readonly type: 'SIGNATURE';
  readonly username: string;
  readonly password: string;
  readonly token?: string;
}

/** User name and password, from which a token is signed. */
export const signature: AuthMode<StoredSignature> = {
  name: 'SIGNATURE',
  presented: z.strictObject({
    type: z.literal('SIGNATURE'),
    username: text,
    password: text,
    token: text.optional(),
    expires_at,
  }),
  present: ({ type, username, password, token, expiresAt }) =>
    defined({ type, username, password, token, expires_at: expiresAt }),
  sign: ({ token }) => bearer(token),
  templateValues: ({ username, password, token }) => ({
    username,
    password,
    'credentials.username': username,
    'credentials.password': password,
    ...tokenValues(token),
  }),
};
