import type { FormField, ProviderDefinition } from '#contract';
import { modeNamed } from './index.ts';

/** A field of the form. `verbatim`: white space around the value belongs to it. */
export type AskedCredential = FormField & { readonly verbatim?: true };

/**
 * Returns the fields that users fill in to connect. The definition may describe the fields of its mode in more detail; it adds
 * fields only if the mode leaves all of them to it.
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
