import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Activity } from '../activity/activity.ts';
import type { Connection } from '../connections/connection.ts';
import { ServiceError } from '../errors.ts';
import { Conversation, type ConversationDeps } from './conversation.ts';
import { toServiceError } from './exchange.ts';
import { type ProxyOptions, readOptions } from './options.ts';
import { recorded } from './record.ts';
import { overrideBase, type Target, targetOf } from './target.ts';
import { type Found, type Upstream, type UpstreamDeps, upstreamOf } from './upstream.ts';

export interface ProxyDeps extends ConversationDeps, UpstreamDeps {
  readonly outbound: ConversationDeps['outbound'] & UpstreamDeps['outbound'];
  readonly activity: Pick<Activity, 'begin'>;
  /** From the cache, as a rule. @throws ServiceError `unknown_provider_config`, `unknown_connection` */
  proxyLookup(environmentId: number, providerConfigKey: string, connectionId: string): Promise<Found>;
  /** `after401`: the generation that the provider refused. @throws ServiceError `invalid_credentials`, `provider_unavailable` */
  fresh(connection: Connection, options: { readonly after401?: number }): Promise<Connection>;
  /** Remembers that the connection was used. */
  touch(connectionRowId: number): void;
}

/** Who calls: known before the proxy is asked. */
export interface ProxyCaller {
  readonly requestId: string;
  readonly environmentId: number;
  /** Whether the key may name another base URL (scope `environment:proxy:override`). */
  readonly mayOverride: boolean;
}

export interface ProxyCall extends ProxyCaller {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Passes a call on with the connection's credentials, and the provider's answer back. @throws ServiceError before it begins */
export async function proxyCall(deps: ProxyDeps, call: ProxyCall): Promise<void> {
  const { request, response, requestId } = call;
  const options = readOptions(request.headers);
  await recorded(deps.activity, { ...call, options }, async () => {
    const upstream = await currentUpstream(deps, call, options);
    const target = targetFor(deps, { upstream, call, options });
    deps.touch(upstream.connection.id);
    const reread = () => currentUpstream(deps, call, options);
    const renew = (refused: Connection) => renewedUpstream(deps, { call, options, refused });
    return new Conversation(deps, { request, response, requestId, options, upstream, target, reread, renew }).run();
  });
}

/** The connection's way to its provider, with credentials that are good now. */
export async function currentUpstream(deps: ProxyDeps, { environmentId }: ProxyCaller, options: ProxyOptions): Promise<Upstream> {
  const { integration, connection } = await deps.proxyLookup(environmentId, options.providerConfigKey, options.connectionId);
  return upstreamOf(deps, { integration, connection: await deps.fresh(connection, {}) });
}

interface TargetInput {
  readonly upstream: Upstream;
  readonly call: ProxyCaller & { readonly request: IncomingMessage };
  readonly options: ProxyOptions;
}

/** @throws ServiceError for a path that leaves its base, a base URL that is not allowed, an address that may not be called */
export function targetFor(deps: Pick<ProxyDeps, 'outbound'>, { upstream, call, options }: TargetInput): Target {
  // TRACE sends the request back as it was received: the caller would read the credentials (RFC 9110 §9.3.8).
  if (call.request.method === 'TRACE') throw new ServiceError('method_not_allowed', 'TRACE is not passed on');
  const rawUrl = call.request.url ?? '';
  const { baseUrlOverride } = options;
  if (baseUrlOverride === undefined) return targetOf(upstream.base(), rawUrl, upstream.addedQuery);

  if (!call.mayOverride) throw new ServiceError('forbidden', 'Base-Url-Override needs the scope environment:proxy:override');
  const base = overrideBase(baseUrlOverride, upstream.allowedHosts());
  try {
    deps.outbound.check(new URL(base.origin));
  } catch (error) {
    throw toServiceError(error);
  }
  return targetOf(base, rawUrl, upstream.addedQuery);
}

async function renewedUpstream(
  deps: ProxyDeps,
  { call, options, refused }: { readonly call: ProxyCaller; readonly options: ProxyOptions; readonly refused: Connection },
): Promise<Upstream | undefined> {
  try {
    const { integration } = await deps.proxyLookup(call.environmentId, options.providerConfigKey, options.connectionId);
    const connection = await deps.fresh(refused, { after401: refused.generation });
    return connection.generation === refused.generation ? undefined : upstreamOf(deps, { integration, connection });
  } catch (error) {
    // The provider's own 401 tells the caller more than our failure to mend it.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
