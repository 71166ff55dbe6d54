import * as z from 'zod';
import type { JsonObject } from '#contract';
import type { AuthMode } from '../auth-mode.ts';
import { defined, expires_at, presentRaw, raw, text } from '../presented.ts';
import type { Expiring } from '../stored-credentials.ts';

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

/** BILL's sign-in: a developer key, and a session of an organization's user. Both go where the definition puts them. */
export const bill: AuthMode<StoredBill> = {
  name: 'BILL',
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
    ...(sessionId !== undefined && { 'credentials.session_id': sessionId }),
  }),
};
