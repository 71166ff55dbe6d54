import type { Connection } from '../connections/connection.ts';
import { ServiceError } from '../errors.ts';
import type { ProxyDeps } from './deps.ts';
import { toServiceError } from './fault.ts';
import type { ProxyRequest } from './message.ts';
import { overrideBase, targetOf, type UpstreamTarget } from './target.ts';
import { prepareUpstream, type Upstream } from './upstream.ts';

/** Where a call gets its connection and its credentials. */
export interface ConnectionSource {
  /** From the cache, as a rule. @throws ServiceError `unknown_provider_config`, `unknown_connection` */
  find(environmentId: number, providerConfigKey: string, connectionId: string): Promise<Upstream>;
  /** `after401`: the generation that the provider refused. @throws ServiceError `invalid_credentials`, `provider_unavailable` */
  fresh(connection: Connection, options: { readonly after401?: number }): Promise<Connection>;
  /** Remembers that the connection was used. */
  touch(connectionRowId: number): void;
}

/** Credentials and where they may go: of one snapshot of the connection, so that new ones never go to an old host. */
export interface ResolvedUpstream {
  readonly upstream: Upstream;
  readonly target: UpstreamTarget;
}

/** What of a request decides where it goes. */
export type Routing = Pick<ProxyRequest, 'environmentId' | 'mayOverride' | 'method' | 'target' | 'options'>;

/** Before a token is spent on a call that is not allowed. @throws ServiceError `method_not_allowed`, `forbidden` */
export function authorize({ method, mayOverride, options }: Routing): void {
  // TRACE sends the request back as it was received: the caller would read the credentials (RFC 9110 §9.3.8).
  if (method === 'TRACE') throw new ServiceError('method_not_allowed', 'TRACE is not passed on');
  if (options.baseUrlOverride === undefined || mayOverride) return;
  throw new ServiceError('forbidden', 'Base-Url-Override needs the scope environment:proxy:override');
}

/**
 * The connection's upstream, with credentials that are valid now.
 *
 * @throws ServiceError of `connections`; for a path that leaves its base, a base URL or an address that is not allowed
 */
export async function resolveUpstream(
  deps: ProxyDeps,
  connections: ConnectionSource,
  routing: Routing,
): Promise<ResolvedUpstream> {
  const found = await find(connections, routing);
  const connection = await connections.fresh(found.connection, {});
  // The usual case: nothing was renewed since the entry was cached.
  return connection === found.connection ? aim(deps, found, routing) : aim(deps, renewed(deps, found, connection), routing);
}

/** After the provider refused these credentials: newer ones; undefined when there are none. */
export async function renewUpstream(
  deps: ProxyDeps,
  connections: ConnectionSource,
  { routing, refused }: { readonly routing: Routing; readonly refused: Connection },
): Promise<ResolvedUpstream | undefined> {
  try {
    const found = await find(connections, routing);
    const connection = await connections.fresh(refused, { after401: refused.generation });
    if (connection.generation === refused.generation) return undefined;
    return aim(deps, renewed(deps, found, connection), routing);
  } catch (error) {
    // The provider's own 401 tells the caller more than our failure to renew.
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
