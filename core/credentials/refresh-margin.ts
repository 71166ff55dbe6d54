import type { CredentialsDeps } from './deps.ts';
import type { Margins } from './due-store.ts';

/** For how many seconds before its end a token of this provider is renewed: its own buffer, else the configured margin. */
export function marginSeconds(
  { catalogue, refreshMarginSeconds }: Pick<CredentialsDeps, 'catalogue' | 'refreshMarginSeconds'>,
  provider: string,
): number {
  return catalogue.find(provider)?.definition.token_expiration_buffer ?? refreshMarginSeconds;
}

/** The same of every provider, for the sweep's query. */
export function marginsOf(deps: Pick<CredentialsDeps, 'catalogue' | 'refreshMarginSeconds'>): Margins {
  const own = deps.catalogue.list().filter(({ definition }) => definition.token_expiration_buffer !== undefined);
  const byProvider = Object.fromEntries(own.map(({ slug }) => [slug, marginSeconds(deps, slug)]));
  return { defaultSeconds: deps.refreshMarginSeconds, byProvider };
}
