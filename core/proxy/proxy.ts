import { ServiceError } from '../errors.ts';
import type { ProxyDeps } from './deps.ts';
import type { ProxyRequest, ProxyResponse } from './message.ts';
import { ProxiedExchange } from './proxied-exchange.ts';
import { CallRecord } from './record.ts';
import { authorize, type ConnectionSource, resolveUpstream } from './resolve.ts';
import { toProxyResponse } from './response.ts';
import { type UpgradeRequest, Upgrades } from './upgrade.ts';

export interface ProviderProxy extends Disposable {
  readonly connections: ConnectionSource;
  /**
   * Forwards a call with the connection's credentials.
   *
   * @param connections where the connection and its credentials come from; default: the service's own source
   * @returns the response, with a streaming body; undefined if the caller disconnected before it arrived
   * @throws ServiceError when there is no response
   */
  call(request: ProxyRequest, connections?: ConnectionSource): Promise<ProxyResponse | undefined>;
  /**
   * Joins a WebSocket of the caller with one of the provider. Resolves when both are closed.
   *
   * @throws ServiceError, but only as long as nothing has been written to the caller's socket
   */
  upgrade(request: UpgradeRequest): Promise<void>;
}

export function createProxy(deps: ProxyDeps, connections: ConnectionSource): ProviderProxy {
  const upgrades = new Upgrades(deps, connections);
  return {
    connections,
    call: (request, source = connections) => proxyCall(deps, source, request),
    upgrade: (request) => upgrades.open(request),
    [Symbol.dispose]: () => upgrades[Symbol.dispose](),
  };
}

/**
 * Performs a whole proxied call: authorizes and resolves it, sends it, retries it, passes on the response and records the
 * outcome.
 */
async function proxyCall(
  deps: ProxyDeps,
  connections: ConnectionSource,
  request: ProxyRequest,
): Promise<ProxyResponse | undefined> {
  const record = new CallRecord(deps, request);
  try {
    authorize(request);
    let resolved = await resolveUpstream(deps, connections, request);
    connections.touch(resolved.upstream.connection.id);
    const exchange = new ProxiedExchange(deps, connections, { request, upstream: resolved.upstream });
    for (;;) {
      record.goesTo(resolved);
      const result = await exchange.send(resolved);
      const next = await exchange.decideRetry(resolved, result);
      if (next !== undefined) {
        resolved = next;
        continue;
      }
      if (result instanceof ServiceError) throw result;
      const response = toProxyResponse(result, request);
      record.endWith(response, request.signal);
      return response;
    }
  } catch (error) {
    if (request.signal.aborted && error === request.signal.reason) {
      record.end({ kind: 'disconnected' });
      return undefined;
    }
    record.fail(error);
    throw error;
  }
}
