import * as z from 'zod';
import { trimPasted } from '#contract';
import type { AuthMode, ModeDeps, ModeInput } from '../auth-mode.ts';
import { tokenValues } from '../building-blocks/bearer-token.ts';
import { credentialInput, password } from '../building-blocks/credential-input.ts';
import { defined, expires_at, text } from '../building-blocks/presented.ts';
import type { Expiring } from '../building-blocks/stored-credentials.ts';
import { usernameToken } from './username-token.ts';

interface StoredSignature extends Expiring {
  readonly type: 'SIGNATURE';
  readonly username: string;
  readonly password: string;
  /** A signed token; present only if the definition states how long such a token is valid. */
  readonly token?: string;
}

const typed = credentialInput(
  z.strictObject({
    // Only characters that a header field can hold (RFC 9110 §5.5).
    username: z
      .string()
      .overwrite(trimPasted)
      .max(255)
      .regex(/^[\x20-\x7e\xa0-\xff]+$/, 'must be printable characters of Latin-1'),
    password: password.min(1),
    type: z.string().min(1).max(64).optional().describe('sent by existing clients; ignored'),
  }),
  ({ username, password }) => ({ type: 'SIGNATURE' as const, username, password }),
);

/** Authentication with a user name and a password. The password is never sent; instead, each request is signed with it. */
export const signature: AuthMode<StoredSignature> = {
  name: 'SIGNATURE',
  isProvenByCall: true,
  presented: z.strictObject({
    type: z.literal('SIGNATURE'),
    username: text,
    password: text,
    token: text.optional(),
    expires_at,
  }),
  form: {
    ...typed,
    path: '/auth/signature',
    operationId: 'connectWithSignature',
    summary: 'Connect with a user name and a password that signs requests',
    example: { username: 'account001', password: 'example-password', type: 'SIGNATURE' },
    fields: { username: { title: 'User name' }, password: { title: 'Password', secret: true, verbatim: true } },
  },
  present: ({ type, username, password, token, expiresAt }) =>
    defined({ type, username, password, token, expires_at: expiresAt }),
  isRefreshable: ({ token }) => token !== undefined,
  // Each request is signed with a new nonce, since a server may accept a nonce only once.
  signer: (login, { definition: { signature } }) => {
    const header = signature?.header ?? 'X-WSSE';
    return ({ at }) => ({ [header]: usernameToken(login, signature?.digest, at) });
  },
  templateValues: ({ username, password, token }) => ({
    username,
    password,
    'credentials.username': username,
    'credentials.password': password,
    ...tokenValues(token),
  }),
  prepare: withToken,
  refresh: withToken,
};

/**
 * Creates a new token, if the definition states how long a token is valid. The provider is not called, since the token is a
 * signature.
 */
async function withToken({ now }: ModeDeps, { definition }: ModeInput, stored: StoredSignature): Promise<StoredSignature> {
  const { token: _, expiresAt: __, ...login } = stored;
  const { token_lifetime: lifetimeSeconds, signature } = definition;
  if (lifetimeSeconds === undefined) return login;
  const at = now();
  return {
    ...login,
    token: usernameToken(login, signature?.digest, at),
    receivedAt: at.toISOString(),
    expiresAt: new Date(at.getTime() + lifetimeSeconds * 1000).toISOString(),
  };
}
