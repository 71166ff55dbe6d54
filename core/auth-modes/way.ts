import type { ProviderDefinition } from '#contract';
import { modeNamed } from './index.ts';

/** How users connect: on the provider's page, by entering credentials, or without entering anything. */
export type Way = 'sign_in' | 'form' | 'none';

/** Returns how users connect; undefined if they cannot, so that connections are imported. */
export function wayOf(definition: ProviderDefinition): Way | undefined {
  const { form, begin, redirects = () => begin !== undefined } = modeNamed(definition.auth_mode);
  if (redirects(definition)) return 'sign_in';
  if (form === undefined) return undefined;
  return form.hasDeclaredFields || Object.keys(form.fields).length > 0 ? 'form' : 'none';
}
