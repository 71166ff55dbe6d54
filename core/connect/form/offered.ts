import { type Way, wayOf } from '../../auth-modes/way.ts';
import type { Catalogue, Provider } from '../../catalogue/catalogue.ts';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import type { ListedIntegration } from '../../connections/integrations/integration.ts';

interface Offered {
  readonly integration: ListedIntegration;
  readonly provider: Provider;
  readonly way: Way;
}

/** Compares names case-insensitively; `Jira 2` precedes `Jira 10`. */
const BY_NAME = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/**
 * Returns the integrations that a user can choose from, sorted by position, then by name: those that the session allows and whose
 * provider users can connect.
 *
 * @param all integrations of the environment
 */
export function offeredIntegrations(
  catalogue: Pick<Catalogue, 'find'>,
  { allowedIntegrations }: Pick<ConnectSession, 'allowedIntegrations'>,
  all: readonly ListedIntegration[],
): Offered[] {
  const allowed = allowedIntegrations && new Set(allowedIntegrations);
  const offered = all.flatMap((integration): Offered[] => {
    const provider = allowed?.has(integration.uniqueKey) === false ? undefined : catalogue.find(integration.provider);
    if (provider === undefined || provider.unusable !== undefined) return [];
    const way = wayOf(provider.definition);
    return way === undefined ? [] : [{ integration, provider, way }];
  });
  return offered.toSorted(
    ({ integration: one }, { integration: other }) =>
      placeOf(one) - placeOf(other) ||
      BY_NAME.compare(one.displayName, other.displayName) ||
      BY_NAME.compare(one.uniqueKey, other.uniqueKey),
  );
}

/**
 * Returns the position of an integration. The default is finite, since the difference of two infinite positions would be NaN, and
 * integrations without a position would not be compared by name.
 */
function placeOf({ connectScreen }: ListedIntegration): number {
  return connectScreen.position ?? Number.MAX_SAFE_INTEGER;
}
