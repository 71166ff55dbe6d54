import { LRUCache } from 'lru-cache';
import { LoadingCache } from '../../kit/loading-cache.ts';
import type { Outbound } from '../../kit/outbound.ts';
import type { ModeDeps } from '../auth-mode.ts';
import type { ServerMetadata } from '../building-blocks/server-metadata/index.ts';
import type { ClientRequests } from './client-metadata.ts';
import { type RegisteredClient, register } from './registration.ts';

/** How long flows share a registered client, in milliseconds. They do so because servers limit the number of registrations. */
const SHARED_MS = 10 * 60_000;
const MAX_SHARED = 500;

interface Registration {
  /**
   * The integration that owns the client. Integrations do not share clients, since a user who has allowed one integration has not
   * allowed another.
   */
  readonly owner: string;
  readonly server: ServerMetadata;
  readonly requests: ClientRequests;
}

interface SharedClients {
  readonly known: LoadingCache<string, RegisteredClient>;
  readonly gone: LRUCache<string, true>;
}

const ofDoors = new WeakMap<Outbound, SharedClients>();

/**
 * Returns the client that was registered for this integration within the last ten minutes, or registers one.
 *
 * @throws TokenFailure if the server cannot be reached now; UnusableDocument if it registers no client, or one that differs from
 *   the request
 */
export async function registeredClient(deps: ModeDeps, { owner, server, requests }: Registration): Promise<RegisteredClient> {
  const { known, gone } = sharedBy(deps);
  const key = JSON.stringify([owner, server.issuer, requests]);
  const find = () => known.get(key, () => register(deps, server, requests));
  const client = await find();
  if (client !== undefined && !gone.has(nameOf(server.issuer, client))) return client;
  known.delete(key);
  return (await find()) ?? register(deps, server, requests);
}

/** Marks a client that the server no longer knows, so that no further flow begins with it. */
export function forgetClient(deps: { readonly outbound: Outbound }, issuer: string, client: RegisteredClient): void {
  sharedBy(deps).gone.set(nameOf(issuer, client), true);
}

function sharedBy({ outbound }: { readonly outbound: Outbound }): SharedClients {
  const shared = ofDoors.get(outbound) ?? {
    known: new LoadingCache({ ttlMs: SHARED_MS, maxEntries: MAX_SHARED }),
    gone: new LRUCache({ max: MAX_SHARED }),
  };
  ofDoors.set(outbound, shared);
  return shared;
}

function nameOf(issuer: string, { clientId }: RegisteredClient): string {
  return JSON.stringify([issuer, clientId]);
}
