import type { FormField, ProviderDefinition } from '#contract';
import { modeNamed } from './index.ts';

/** A field of the form. `verbatim`: blanks around the value belong to it. */
export type AskedCredential = FormField & { readonly verbatim?: true };

/**
 * What users type to connect. A definition says more about the fields of its mode; it adds none, unless the mode leaves them to it.
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
