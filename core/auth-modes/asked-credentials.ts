import type { FormField, ProviderDefinition } from '#contract';
import { modeNamed } from './index.ts';

/** A field of the form. If `verbatim` is set, surrounding white space is part of the value. */
export type AskedCredential = FormField & { readonly verbatim?: true };

/**
 * Returns the fields that users fill in to connect. The definition may describe the mode's fields in more detail, but can add
 * fields only if the mode has none of its own (`hasDeclaredFields`).
 */
export function askedCredentials({
  auth_mode: mode,
  credentials = {},
}: ProviderDefinition): Readonly<Record<string, AskedCredential>> {
  const { form } = modeNamed(mode);
  if (form === undefined) return {};
  if (form.hasDeclaredFields) return credentials;
  const fields = Object.entries(form.fields);
  return Object.fromEntries(
    fields.map(([name, look]) => {
      const declared = Object.hasOwn(credentials, name) ? credentials[name] : undefined;
      return [name, { type: 'string' as const, ...look, ...declared }];
    }),
  );
}
