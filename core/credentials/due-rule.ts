import { modeOf } from '../auth-modes/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Plugins } from '../catalogue/plugins/plugins.ts';
import type { Connection } from '../connections/connection.ts';
import type { RuleDeps } from './deps.ts';
import type { DueRule } from './due-store.ts';

/**
 * After how many hours credentials are verified again: one less than a day, so that this happens before the last verification is
 * a day old.
 */
const PROVEN_FOR_HOURS = 23;
/**
 * If neither definition nor plugin says how to verify credentials: after how many hours to look again whether one does by now.
 */
const ASK_AGAIN_HOURS = 7 * 24;

/**
 * Returns how many seconds before its expiry a token of this provider is refreshed: `token_expiration_buffer` of the definition,
 * else `SVC_REFRESH_MARGIN_SECONDS` (900 by default). `due-store.ts` shortens it to a third of the token's lifetime.
 */
export function marginSeconds({ catalogue, refreshMarginSeconds }: Omit<RuleDeps, 'plugins'>, provider: string): number {
  return catalogue.find(provider)?.definition.token_expiration_buffer ?? refreshMarginSeconds;
}

export function dueRule(deps: RuleDeps, { provider, credentials }: Pick<Connection, 'provider' | 'credentials'>): DueRule {
  const canBeProven = modeOf(credentials).isProvenByCall === true;
  const proofHours = isVerifiable(deps, provider) ? PROVEN_FOR_HOURS : ASK_AGAIN_HOURS;
  return { marginSeconds: marginSeconds(deps, provider), proofHours: canBeProven ? proofHours : null };
}

/** Returns whether the definition or the plugin says how credentials are verified. */
function isVerifiable(
  { catalogue, plugins }: { readonly catalogue: Catalogue; readonly plugins: Plugins },
  slug: string,
): boolean {
  const provider = catalogue.find(slug);
  if (provider === undefined) return false;
  const hasHook = !plugins.unusable.has(slug) && plugins.of(slug).connection?.verify !== undefined;
  return hasHook || provider.definition.proxy?.verification !== undefined;
}
