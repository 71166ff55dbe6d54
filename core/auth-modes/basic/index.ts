import * as z from 'zod';
import type { AuthMode } from '../auth-mode.ts';
import { credentialInput, password, userName } from '../building-blocks/credential-input.ts';
import { text } from '../building-blocks/presented.ts';
import type { StoredCredentials } from '../building-blocks/stored-credentials.ts';

interface StoredBasic extends StoredCredentials {
  readonly type: 'BASIC';
  readonly username: string;
  readonly password: string;
}

const imported = credentialInput(z.strictObject({ username: userName, password }), (login) => ({
  type: 'BASIC' as const,
  ...login,
}));

/** HTTP Basic authentication with user name and password (RFC 7617). */
export const basic: AuthMode<StoredBasic> = {
  name: 'BASIC',
  isProvenByCall: true,
  presented: z.strictObject({ type: z.literal('BASIC'), username: text, password: text }),
  imported,
  form: {
    ...imported,
    path: '/api-auth/basic',
    operationId: 'connectWithBasic',
    summary: 'Connect with a user name and a password; either may be empty',
    example: { username: 'ada', password: 'example-password' },
    fields: { username: { title: 'User name' }, password: { title: 'Password', secret: true, verbatim: true } },
    empty: { username: '', password: '' },
  },
  present: ({ type, username, password }) => ({ type, username, password }),
  sign: ({ username, password }) => ({
    authorization: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`,
  }),
  templateValues: ({ username, password }) => ({
    username,
    password,
    'credentials.username': username,
    'credentials.password': password,
  }),
  entered: ({ username, password }) => ({ username, password }),
  adopt: (_, { accessToken: password }, { receivedAt, previous: { username } }) => ({
    type: 'BASIC',
    username,
    password,
    receivedAt: receivedAt.toISOString(),
  }),
};
