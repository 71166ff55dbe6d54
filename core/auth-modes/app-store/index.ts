import * as z from 'zod';
import type { JsonObject } from '#contract';
import type { AuthMode } from '../auth-mode.ts';
import { bearer } from '../bearer-token.ts';
import { defined, expires_at, presentRaw, raw, text } from '../presented.ts';
import type { Expiring } from '../stored-credentials.ts';

interface StoredAppStore extends Expiring {
  readonly type: 'APP_STORE';
  readonly accessToken: string;
  readonly privateKey: string;
  readonly raw: JsonObject;
}

/** A token signed with the key of an app store's team. */
export const appStore: AuthMode<StoredAppStore> = {
  name: 'APP_STORE',
  presented: z.strictObject({ type: z.literal('APP_STORE'), access_token: text, private_key: text, expires_at, raw }),
  present: (stored, options) =>
    defined({
      type: stored.type,
      access_token: stored.accessToken,
      private_key: stored.privateKey,
      expires_at: stored.expiresAt,
      raw: presentRaw(stored.raw, options),
    }),
  sign: ({ accessToken }) => bearer(accessToken),
  templateValues: ({ accessToken }) => ({ accessToken, 'credentials.access_token': accessToken }),
};
