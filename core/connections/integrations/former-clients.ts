import type { ClientSettings } from '../../auth-modes/auth-mode.ts';
import type { Provider } from '../../catalogue/catalogue.ts';
import { effectiveClient, fingerprintOf, isClientOf } from './effective-client.ts';
import type { ClientApp, FormerClient, Integration } from './integration.ts';

/** The provider may know one of two secrets only while both sides are changed one after the other. */
const OVERLAP_MS = 24 * 3_600_000;
/** An authorization that began with the former client may end after the change. */
const FLOW_MS = 24 * 3_600_000;
const FOREVER = '9999-12-31T23:59:59.999Z';
/** Of clients that no connection needs: those of somebody who changes it again and again. */
const MAX_UNUSED = 5;

/** The client secret and private key before the change, if one of them was replaced, and the client is the same. */
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

/** An integration before and after a change of its client, or of its place by the shared app. */
interface ClientChange {
  readonly before: Pick<Integration, 'client'>;
  readonly after: Pick<Integration, 'client'>;
  readonly provider: Pick<Provider, 'sharedApp'>;
  readonly now: Date;
}

/** The former clients after a change, the client of before among them, if another came in its place. */
export function formerClientsAfter({ before, after, provider, now }: ClientChange): readonly FormerClient[] {
  const kept = before.client.formerClients ?? [];
  const [replaced, current] = [effectiveClient(before, provider), effectiveClient(after, provider)];
  const [fingerprint, currentFingerprint] = [fingerprintOf(replaced), fingerprintOf(current)];
  if (fingerprint === null || fingerprint === currentFingerprint) return kept;
  const others = kept.filter((one) => !isClientOf(one, fingerprint) && !isClientOf(one, currentFingerprint));
  return [formerOf(replaced, now), ...others];
}

/** Without those that no connection needs any more. @param needed fingerprints of the integration's connections */
export function withoutUnneeded(
  former: readonly FormerClient[],
  needed: readonly (string | null)[],
  now: Date,
): readonly FormerClient[] {
  const isNeeded = (one: FormerClient) => needed.some((fingerprint) => isClientOf(one, fingerprint));
  const recent = former.filter((one) => !isNeeded(one) && now.getTime() - Date.parse(one.since) < FLOW_MS).slice(0, MAX_UNUSED);
  return former.filter((one) => isNeeded(one) || recent.includes(one));
}

/** The integration with these former clients. */
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
    // The secret may have been changed first, and then the ID: which of the two is this client's is not known.
    ...(previous !== undefined && { previousClientSecret: { ...previous, until: FOREVER } }),
    ...(appId !== undefined && { appId }),
    ...(privateKey !== undefined && { privateKey }),
    since: now.toISOString(),
  };
}
