import * as z from 'zod';
import type { JsonObject } from '#contract';
import type { AuthMode } from '../auth-mode.ts';
import { presentRaw, raw } from '../presented.ts';
import type { StoredCredentials } from '../stored-credentials.ts';

interface StoredCustom extends StoredCredentials {
  readonly type: 'CUSTOM';
  readonly raw: JsonObject;
}

/** Credentials in a format of the provider's plugin, whose `proxy.decorate` adds them to requests. */
export const custom: AuthMode<StoredCustom> = {
  name: 'CUSTOM',
  app: ['client_id', 'client_secret', 'scopes', 'app_id', 'app_link', 'private_key'],
  presented: z.strictObject({ type: z.literal('CUSTOM'), raw }),
  present: ({ type, raw }, options) => ({ type, raw: presentRaw(raw, options) }),
  templateValues: ({ raw }) =>
    Object.fromEntries(
      Object.entries(raw).flatMap(([name, value]) => (typeof value === 'string' ? [[`credentials.${name}`, value]] : [])),
    ),
};
