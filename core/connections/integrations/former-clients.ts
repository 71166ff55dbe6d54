import type { ClientSettings } from '../../auth-modes/auth-mode.ts';
import type { Provider } from '../../catalogue/catalogue.ts';
import { effectiveClient, fingerprintOf, isClientOf } from './effective-client.ts';
import type { ClientApp, FormerClient, Integration } from './integration.ts';

/**
 * How long the previous secret is kept, in milliseconds: until the secret has been changed both here and at the provider, the
 * provider may accept only one of the two.
 */
const OVERLAP_MS = 24 * 3_600_000;
/**
 * How long a former client is kept even if no connection needs it, in milliseconds: an authorization that began with it may end
 * after the change.
 */
const FLOW_MS = 24 * 3_600_000;
const FOREVER = '9999-12-31T23:59:59.999Z';
/**
 * Maximum number of former clients that are kept although no connection needs them, in case somebody changes the client
 * repeatedly.
 */
const MAX_UNUSED = 5;

/**
 * Returns the previous secret and private key to keep after a change: those before the change if one of them was replaced,
 * otherwise those kept so far, while they are valid. Nothing is kept if the client ID changed.
 */
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

/** An integration before and after the client that authorizes its connections changed, perhaps from or to the shared app. */
interface ClientChange {
  readonly before: Pick<Integration, 'client'>;
  readonly after: Pick<Integration, 'client'>;
  readonly provider: Pick<Provider, 'sharedApp'>;
  readonly now: Date;
}

/** Returns the former clients after a change, including the client used before the change if another one replaced it. */
export function formerClientsAfter({ before, after, provider, now }: ClientChange): readonly FormerClient[] {
  const kept = before.client.formerClients ?? [];
  const [replaced, current] = [effectiveClient(before, provider), effectiveClient(after, provider)];
  const [fingerprint, currentFingerprint] = [fingerprintOf(replaced), fingerprintOf(current)];
  if (fingerprint === null || fingerprint === currentFingerprint) return kept;
  const others = kept.filter((one) => !isClientOf(one, fingerprint) && !isClientOf(one, currentFingerprint));
  return [formerOf(replaced, now), ...others];
}

/**
 * Drops the former clients that no connection needs, except the latest that were replaced within `FLOW_MS`.
 *
 * @param needed the fingerprints of the integration's connections
 */
export function withoutUnneeded(
  former: readonly FormerClient[],
  needed: readonly (string | null)[],
  now: Date,
): readonly FormerClient[] {
  const isNeeded = (one: FormerClient) => needed.some((fingerprint) => isClientOf(one, fingerprint));
  const recent = former.filter((one) => !isNeeded(one) && now.getTime() - Date.parse(one.since) < FLOW_MS).slice(0, MAX_UNUSED);
  return former.filter((one) => isNeeded(one) || recent.includes(one));
}

/** Returns the integration with these former clients in place of those that it has. */
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
    // If the secret was changed before the client ID, it is unknown which of the two secrets belongs to this client.
    ...(previous !== undefined && { previousClientSecret: { ...previous, until: FOREVER } }),
    ...(appId !== undefined && { appId }),
    ...(privateKey !== undefined && { privateKey }),
    since: now.toISOString(),
  };
}
