import { LoadingCache } from '../../../kit/loading-cache.ts';
import type { Outbound } from '../../../kit/outbound.ts';
import type { DocumentDeps } from './fetch-document.ts';
import { fetchServerMetadata, type ServerMetadata } from './server-metadata.ts';

export { isPage, UnusableDocument } from './fetch-document.ts';
export { quoted } from './members.ts';
export { covers, type ProtectedResource, protectedResource } from './protected-resource.ts';
export { requirePkce, type ServerMetadata } from './server-metadata.ts';

/** How long metadata is cached, in milliseconds. A change at a server, such as a moved endpoint, takes effect after that time. */
const MAX_AGE_MS = 10 * 60_000;
const MAX_SERVERS = 200;

/** Caches the metadata of authorization servers for ten minutes. Failures are not cached. */
export class ServerMetadataCache {
  readonly #servers: LoadingCache<string, ServerMetadata>;

  /** @param now returns the milliseconds of a monotonic clock */
  constructor(now?: () => number) {
    this.#servers = new LoadingCache({ ttlMs: MAX_AGE_MS, maxEntries: MAX_SERVERS, now });
  }

  /**
   * Returns the metadata of an issuer.
   *
   * @throws TokenFailure if it cannot be read at the moment, UnusableDocument if there is none or it must not be trusted
   */
  async get(deps: DocumentDeps, issuer: string): Promise<ServerMetadata> {
    const found = await this.#servers.get(issuer, () => fetchServerMetadata(deps, issuer));
    return found ?? fetchServerMetadata(deps, issuer);
  }
}

/**
 * One cache per `Outbound`, since they may differ in the addresses that they may call, and so in the documents that they can
 * read.
 */
const caches = new WeakMap<Outbound, ServerMetadataCache>();

/**
 * Returns the metadata of an authorization server (RFC 8414, OpenID Connect Discovery) whose issuer is known.
 *
 * @throws TokenFailure if it cannot be read at the moment, UnusableDocument if there is none or it must not be trusted
 */
export function serverMetadata(deps: DocumentDeps, issuer: string): Promise<ServerMetadata> {
  const cache = caches.get(deps.outbound) ?? new ServerMetadataCache();
  caches.set(deps.outbound, cache);
  return cache.get(deps, issuer);
}
