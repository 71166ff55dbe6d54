import * as z from 'zod';
import type { JsonObject } from '#contract';
import type { AuthMode, ModeDeps, ModeInput } from '../auth-mode.ts';
import { credentialInput, password, secret } from '../building-blocks/credential-input.ts';
import { firstToken } from '../building-blocks/first-token.ts';
import { defined, expires_at, presentRaw, raw, text } from '../building-blocks/presented.ts';
import { signIn } from '../building-blocks/sign-in/sign-in.ts';
import { type Expiring, lifetimeOf } from '../building-blocks/stored-credentials.ts';
import { type ReceivedTokens, receivedTokens } from '../building-blocks/token-endpoint/token-response.ts';

interface StoredBill extends Expiring {
  readonly type: 'BILL';
  readonly devKey: string;
  readonly organizationId: string;
  readonly username: string;
  readonly password: string;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly raw: JsonObject;
}

const entered = credentialInput(
  z.strictObject({ username: secret, password: password.min(1), organization_id: secret, dev_key: secret }),
  ({ organization_id: organizationId, dev_key: devKey, ...login }) => ({
    type: 'BILL' as const,
    ...login,
    organizationId,
    devKey,
    raw: {},
  }),
);

/** BILL's sign-in, with a developer key and the session of a user of an organization. The definition says where both are sent. */
export const bill: AuthMode<StoredBill> = {
  name: 'BILL',
  requires: ['token_url', 'token_response'],
  reads: ['token_params', 'token_headers'],
  presented: z.strictObject({
    type: z.literal('BILL'),
    username: text,
    password: text,
    organization_id: text,
    dev_key: text,
    session_id: text.optional(),
    user_id: text.optional(),
    expires_at,
    raw,
  }),
  form: {
    ...entered,
    path: '/auth/bill',
    operationId: 'connectWithBill',
    summary: 'Connect with a user name, password, organization ID and developer key',
    example: {
      username: 'ada@example.com',
      password: 'example-password',
      organization_id: '00800000000000000000',
      dev_key: 'example-developer-key',
    },
    fields: {
      username: { title: 'User name' },
      password: { title: 'Password', secret: true, verbatim: true },
      organization_id: { title: 'Organization ID' },
      dev_key: { title: 'Developer key', secret: true },
    },
  },
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
  templateValues: ({ devKey, sessionId }) => ({
    'credentials.dev_key': devKey,
    ...(sessionId !== undefined && { accessToken: sessionId, 'credentials.session_id': sessionId }),
  }),
  prepare: (deps, input, stored) => firstToken(() => newSession(deps, input, stored)),
  refresh: newSession,
  adopt: (input, tokens, received) => withSession(received.previous, receivedTokens(input, tokens, received)),
};

/** Signs in for a new session. @throws TokenFailure as `signIn` */
async function newSession(deps: ModeDeps, input: ModeInput, stored: StoredBill): Promise<StoredBill> {
  const { username, password, organizationId: organization_id, devKey: dev_key } = stored;
  const given = { username, password, organization_id, dev_key };
  return withSession(stored, await signIn(deps, input, { entered: given, previous: stored }));
}

function withSession(stored: StoredBill, tokens: ReceivedTokens): StoredBill {
  const { type, username, password, organizationId, devKey } = stored;
  const { accessToken: sessionId, receivedAt, raw } = tokens;
  const user = typeof raw['userId'] === 'string' ? { userId: raw['userId'] } : {};
  return { type, username, password, organizationId, devKey, sessionId, ...user, ...lifetimeOf(tokens), receivedAt, raw };
}
