import type { AuthMode } from './auth-mode.ts';
import { presentRaw } from './presented.ts';
import type { StoredCustom } from './stored-credentials.ts';
import { validityOf } from './validity.ts';

/** Credentials of a form that only the provider's plugin knows: its `proxy.decorate` puts them to use. */
export const custom: AuthMode<StoredCustom> = {
  name: 'CUSTOM',
  present: ({ type, raw }, options) => ({ type, raw: presentRaw(raw, options) }),
  validity: (stored) => validityOf(stored),
  sign: () => ({}),
  templateValues: ({ raw }) =>
    Object.fromEntries(
      Object.entries(raw).flatMap(([name, value]) => (typeof value === 'string' ? [[`credentials.${name}`, value]] : [])),
    ),
};
