import * as z from 'zod';
import type { JsonObject } from '#contract';
import type { AuthMode } from '../auth-mode.ts';
import { bearer, tokenValues } from '../bearer-token.ts';
import { defined, expires_at, presentRaw, raw, text } from '../presented.ts';
import type { Expiring } from '../stored-credentials.ts';

interface StoredTwoStep extends Expiring {
  readonly type: 'TWO_STEP';
  readonly token?: string;
  readonly raw: JsonObject;
}

/** A token from the provider's own sign-in call. */
export const twoStep: AuthMode<StoredTwoStep> = {
  name: 'TWO_STEP',
  presented: z.strictObject({ type: z.literal('TWO_STEP'), token: text.optional(), expires_at, raw }),
  present: (stored, options) =>
    defined({
      type: stored.type,
      token: stored.token,
      expires_at: stored.expiresAt,
      raw: presentRaw(stored.raw, options),
    }),
  sign: ({ token }) => bearer(token),
  templateValues: ({ token }) => tokenValues(token),
};
