import { LoadingCache } from '../../../kit/loading-cache.ts';
import type { Outbound } from '../../../kit/outbound.ts';
import type { DocumentDeps } from './fetch-document.ts';
import { fetchServerMetadata, type ServerMetadata } from './server-metadata.ts';

export { isPage, UnusableDocument } from './fetch-document.ts';
export { quoted } from './members.ts';
export { covers, type ProtectedResource, protectedResource } from './protected-resource.ts';
export { requirePkce, type ServerMetadata } from './server-metadata.ts';

/** A server may move its endpoints, or be repaired: it is noticed after so long. */
const MAX_AGE_MS = 10 * 60_000;
const MAX_SERVERS = 200;

/** The metadata of authorization servers, each read once in ten minutes. Failures are not kept. */
export class ServerMetadataCache {
  readonly #servers: LoadingCache<string, ServerMetadata>;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now?: () => number) {
    this.#servers = new LoadingCache({ ttlMs: MAX_AGE_MS, maxEntries: MAX_SERVERS, now });
  }

  /** @throws TokenFailure if it cannot be read now, UnusableDocument if there is none or it may not be believed */
  async get(deps: DocumentDeps, issuer: string): Promise<ServerMetadata> {
    const found = await this.#servers.get(issuer, () => fetchServerMetadata(deps, issuer));
    return found ?? fetchServerMetadata(deps, issuer);
  }
}

/** What was read through one door says nothing about what may be read through another. */
const caches = new WeakMap<Outbound, ServerMetadataCache>();

/**
 * The metadata of an authorization server (RFC 8414, OpenID Connect Discovery) whose issuer is known.
 *
 * @throws TokenFailure if it cannot be read now, UnusableDocument if there is none or it may not be believed
 */
export function serverMetadata(deps: DocumentDeps, issuer: string): Promise<ServerMetadata> {
  const cache = caches.get(deps.outbound) ?? new ServerMetadataCache();
  caches.set(deps.outbound, cache);
  return cache.get(deps, issuer);
}
