import type { AuthRules, ProviderDefinition } from '#contract';
import { modeNamed } from './index.ts';

/** Returns the names of a plugin's hooks that would never be called for a connection of this provider. */
export function uncalledHooks(definition: ProviderDefinition, rules: AuthRules = {}): readonly string[] {
  const { adopt, entered, refresh, takesExchange } = modeNamed(definition.auth_mode);
  const isAdopted = adopt !== undefined;
  const isRenewed = refresh !== undefined || rules.refreshable !== undefined;
  const hooks: readonly [name: string, hook: unknown, isCalled: boolean][] = [
    ['auth.exchange', rules.exchange, takesExchange?.(definition) === true],
    ['auth.authenticate', rules.authenticate, isAdopted && entered !== undefined],
    ['auth.refreshable', rules.refreshable, isAdopted],
    [isAdopted ? 'auth.refresh without auth.refreshable' : 'auth.refresh', rules.refresh, isAdopted && isRenewed],
  ];
  return hooks.filter(([, hook, isCalled]) => hook !== undefined && !isCalled).map(([name]) => name);
}
