import { LRUCache } from 'lru-cache';
import { LoadingCache } from '../../kit/loading-cache.ts';
import type { Outbound } from '../../kit/outbound.ts';
import type { ModeDeps } from '../auth-mode.ts';
import type { ServerMetadata } from '../building-blocks/server-metadata/index.ts';
import type { ClientRequests } from './client-metadata.ts';
import { type RegisteredClient, register } from './registration.ts';

/** How long flows share one registration, in milliseconds: servers limit registrations. */
const SHARED_MS = 10 * 60_000;
const MAX_SHARED = 500;

interface Registration {
  /**
   * The integration that owns the client. Clients are not shared between integrations: a user who allows one has not allowed
   * another.
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
 * Returns a client that was registered for this integration a few minutes ago, or registers one now.
 *
 * @throws TokenFailure if the server cannot be reached now; UnusableDocument if it registers no client, or a different one
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

/** Forgets a client that the server does not know any more: no further flow begins with it. */
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
