import type { Connection } from '../connections/connection.ts';
import { ServiceError } from '../errors.ts';
import type { ProxyDeps } from './deps.ts';
import { toServiceError } from './fault.ts';
import type { ProxyRequest } from './message.ts';
import { overrideBase, targetOf, type UpstreamTarget } from './target.ts';
import { prepareUpstream, type Upstream } from './upstream.ts';

/** The source of a call's connection and credentials. */
export interface ConnectionSource {
  /** Finds a connection, usually in the cache. @throws ServiceError `unknown_provider_config`, `unknown_connection` */
  find(environmentId: number, providerConfigKey: string, connectionId: string): Promise<Upstream>;
  /**
   * Returns the connection with valid credentials.
   *
   * @param options `after401`: the generation that the provider rejected
   * @throws ServiceError `invalid_credentials` if the user must authorize again, `provider_unavailable` if the credentials
   *   cannot be refreshed now
   */
  fresh(connection: Connection, options: { readonly after401?: number }): Promise<Connection>;
  /** Records that the connection was used. */
  touch(connectionRowId: number): void;
}

/** Credentials and their target, from one snapshot of the connection: new credentials never go to an old host. */
export interface ResolvedUpstream {
  readonly upstream: Upstream;
  readonly target: UpstreamTarget;
}

/** The parts of a request that determine its target. */
type Routing = Pick<ProxyRequest, 'environmentId' | 'mayOverride' | 'method' | 'target' | 'options'>;

/**
 * Checks whether a call is allowed, before credentials are refreshed for it.
 *
 * @throws ServiceError `method_not_allowed` for TRACE, `forbidden` for another base URL that the caller may not set
 */
export function authorize({ method, mayOverride, options }: Routing): void {
  // TRACE echoes the request: the caller would read the credentials (RFC 9110 §9.3.8).
  if (method === 'TRACE') throw new ServiceError('method_not_allowed', 'TRACE is not forwarded');
  if (options.baseUrlOverride === undefined || mayOverride) return;
  throw new ServiceError('forbidden', 'Base-Url-Override needs the scope environment:proxy:override');
}

/**
 * Returns the connection's upstream, with credentials that are valid now.
 *
 * @throws ServiceError of `connections`; for a path outside its base URL, or a URL that is not allowed
 */
export async function resolveUpstream(
  deps: ProxyDeps,
  connections: ConnectionSource,
  routing: Routing,
): Promise<ResolvedUpstream> {
  const found = await find(connections, routing);
  const connection = await connections.fresh(found.connection, {});
  // Usually nothing was refreshed since the entry was cached, so what was prepared for it is still right.
  return connection === found.connection ? aim(deps, found, routing) : aim(deps, renewed(deps, found, connection), routing);
}

/** Returns the upstream with newer credentials after the provider rejected these; undefined if there are none. */
export async function renewUpstream(
  deps: ProxyDeps,
  connections: ConnectionSource,
  { routing, rejected }: { readonly routing: Routing; readonly rejected: Connection },
): Promise<ResolvedUpstream | undefined> {
  try {
    const found = await find(connections, routing);
    const connection = await connections.fresh(rejected, { after401: rejected.generation });
    if (connection.generation === rejected.generation) return undefined;
    return aim(deps, renewed(deps, found, connection), routing);
  } catch (error) {
    // The provider's own 401 is more useful to the caller than the service's failure to refresh.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function find(connections: ConnectionSource, { environmentId, options }: Routing): Promise<Upstream> {
  return connections.find(environmentId, options.providerConfigKey, options.connectionId);
}

function renewed(deps: ProxyDeps, { integration }: Upstream, connection: Connection): Upstream {
  return prepareUpstream(deps, { integration, connection });
}

function aim({ outbound }: ProxyDeps, upstream: Upstream, { target, options }: Routing): ResolvedUpstream {
  const { base, allowedHosts, addedQuery } = upstream;
  if (options.baseUrlOverride === undefined) {
    if (base instanceof ServiceError) throw base;
    return { upstream, target: targetOf(base, target, addedQuery) };
  }
  const override = overrideBase(options.baseUrlOverride, allowedHosts);
  try {
    outbound.check(new URL(override.origin));
  } catch (error) {
    throw toServiceError(error);
  }
  return { upstream, target: targetOf(override, target, addedQuery) };
}
