import type { ClientSettings } from '../../auth-modes/auth-mode.ts';
import type { Provider } from '../../catalogue/catalogue.ts';
import { effectiveClient, fingerprintOf, isClientOf } from './effective-client.ts';
import type { ClientApp, FormerClient, Integration } from './integration.ts';

/**
 * How long the previous secret is kept: while both sides are changed one after the other, the provider may know only one of the
 * two.
 */
const OVERLAP_MS = 24 * 3_600_000;
/** How long a former client is kept in any case: an authorization that began with it may end after the change. */
const FLOW_MS = 24 * 3_600_000;
const FOREVER = '9999-12-31T23:59:59.999Z';
/** Maximum number of former clients that no connection needs, in case somebody changes the client again and again. */
const MAX_UNUSED = 5;

/** Returns the client secret and private key before the change, if one of them was replaced and the client is the same. */
export function previousSecret(before: ClientApp, after: ClientApp, now: Date): Pick<ClientApp, 'previousClientSecret'> {
  const { clientId, clientSecret: secret = '', privateKey, previousClientSecret } = before;
  if (clientId !== after.clientId) return {};
  const isReplaced = (old: string | undefined, its: string | undefined) => (old ?? '') !== '' && old !== its;
  if (isReplaced(secret, after.clientSecret) || isReplaced(privateKey, after.privateKey)) {
    const until = new Date(now.getTime() + OVERLAP_MS).toISOString();
    return { previousClientSecret: { secret, ...(privateKey !== undefined && { privateKey }), until } };
  }
  const isValid = previousClientSecret !== undefined && now.getTime() < Date.parse(previousClientSecret.until);
  return isValid ? { previousClientSecret } : {};
}

/** An integration before and after its client changed, or was replaced by the shared app or the other way round. */
interface ClientChange {
  readonly before: Pick<Integration, 'client'>;
  readonly after: Pick<Integration, 'client'>;
  readonly provider: Pick<Provider, 'sharedApp'>;
  readonly now: Date;
}

/** Returns the former clients after a change, including the client before the change if another one replaced it. */
export function formerClientsAfter({ before, after, provider, now }: ClientChange): readonly FormerClient[] {
  const kept = before.client.formerClients ?? [];
  const [replaced, current] = [effectiveClient(before, provider), effectiveClient(after, provider)];
  const [fingerprint, currentFingerprint] = [fingerprintOf(replaced), fingerprintOf(current)];
  if (fingerprint === null || fingerprint === currentFingerprint) return kept;
  const others = kept.filter((one) => !isClientOf(one, fingerprint) && !isClientOf(one, currentFingerprint));
  return [formerOf(replaced, now), ...others];
}

/** Drops the former clients that no connection needs any more. @param needed fingerprints of the integration's connections */
export function withoutUnneeded(
  former: readonly FormerClient[],
  needed: readonly (string | null)[],
  now: Date,
): readonly FormerClient[] {
  const isNeeded = (one: FormerClient) => needed.some((fingerprint) => isClientOf(one, fingerprint));
  const recent = former.filter((one) => !isNeeded(one) && now.getTime() - Date.parse(one.since) < FLOW_MS).slice(0, MAX_UNUSED);
  return former.filter((one) => isNeeded(one) || recent.includes(one));
}

/** Returns the integration with these former clients. */
export function withClients<I extends Pick<Integration, 'client'>>(integration: I, former: readonly FormerClient[]): I {
  const { formerClients: _, ...client } = integration.client;
  return { ...integration, client: { ...client, ...(former.length > 0 && { formerClients: former }) } };
}

function formerOf(
  { clientId, clientSecret, previousSecret: previous, appId, privateKey }: ClientSettings,
  now: Date,
): FormerClient {
  return {
    clientId,
    clientSecret,
    // The secret may have been changed first, and then the ID: which of the two belongs to this client is unknown.
    ...(previous !== undefined && { previousClientSecret: { ...previous, until: FOREVER } }),
    ...(appId !== undefined && { appId }),
    ...(privateKey !== undefined && { privateKey }),
    since: now.toISOString(),
  };
}
