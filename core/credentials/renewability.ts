import type { ModeInput, StoredCredentials } from '../auth-modes/auth-mode.ts';
import { tokenSet } from '../auth-modes/token-set.ts';
import { callRule } from '../catalogue/plugins/call-rule.ts';
import { copyJson } from '../kit/exact-json.ts';
import type { Logger } from '../kit/logger.ts';

/**
 * Adds what the provider's plugin says about whether new credentials can be refreshed. It is stored with them, so that caches and
 * queries need not call the plugin. If the plugin fails, the auth mode decides: a bug must not end an authorization.
 */
export function withRenewability(
  deps: { readonly log: Logger },
  { provider, rules }: Pick<ModeInput, 'provider' | 'rules'>,
  { isRefreshable: _, ...credentials }: StoredCredentials,
): StoredCredentials {
  const { refreshable } = rules ?? {};
  if (refreshable === undefined) return credentials;
  const tokens = tokenSet(credentials);
  try {
    const call = { rule: 'auth.refreshable', provider, tokens: () => tokens };
    return { ...credentials, isRefreshable: callRule(deps, call, () => readBoolean(refreshable(copyJson(tokens)))) };
  } catch {
    return credentials;
  }
}

function readBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new Error('it returned no boolean');
}
