import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Activity } from '../activity/activity.ts';
import type { Connection } from '../connections/connection.ts';
import type { FoundConnection } from '../connections/connection-cache.ts';
import { ServiceError } from '../errors.ts';
import { Conversation, type ConversationDeps, type Way } from './conversation.ts';
import { toServiceError } from './fault.ts';
import { type ProxyOptions, readOptions } from './options.ts';
import { recorded } from './record.ts';
import type { RawHeaders } from './request-headers.ts';
import { overrideBase, targetOf } from './target.ts';
import { type UpstreamDeps, upstreamOf } from './upstream.ts';

export interface ProxyDeps extends ConversationDeps, UpstreamDeps {
  readonly outbound: ConversationDeps['outbound'] & UpstreamDeps['outbound'];
  readonly activity: Pick<Activity, 'begin' | 'takesRoutine'>;
  /** From the cache, as a rule. @throws ServiceError `unknown_provider_config`, `unknown_connection` */
  proxyLookup(environmentId: number, providerConfigKey: string, connectionId: string): Promise<FoundConnection>;
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
  /** What the answer tells of the limit of the caller's key, unless the provider tells of its own. */
  readonly limitHeaders?: RawHeaders | undefined;
}

export interface ProxyCall extends ProxyCaller {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Passes a call on with the connection's credentials, and the provider's answer back. @throws ServiceError before it begins */
export async function proxyCall(deps: ProxyDeps, call: ProxyCall): Promise<void> {
  const { request, response, requestId, limitHeaders } = call;
  const options = readOptions(request.headers);
  await recorded(deps.activity, { ...call, options }, async () => {
    const way = await currentWay(deps, call, options);
    deps.touch(way.upstream.connection.id);
    const reread = () => currentWay(deps, call, options);
    const renew = (refused: Connection) => renewedWay(deps, { call, options, refused });
    return new Conversation(deps, { request, response, requestId, limitHeaders, options, way, reread, renew }).run();
  });
}

type Call = ProxyCaller & { readonly request: IncomingMessage };

/** The connection's way to its provider, with credentials that are good now. */
export async function currentWay(deps: ProxyDeps, call: Call, options: ProxyOptions): Promise<Way> {
  checkCall(call, options); // before a token is spent on a call that is not allowed
  const { integration, connection } = await deps.proxyLookup(call.environmentId, options.providerConfigKey, options.connectionId);
  return wayOf(deps, { integration, connection: await deps.fresh(connection, {}) }, { call, options });
}

/** @throws ServiceError `method_not_allowed`, `forbidden` */
function checkCall(call: Call, { baseUrlOverride }: ProxyOptions): void {
  // TRACE sends the request back as it was received: the caller would read the credentials (RFC 9110 §9.3.8).
  if (call.request.method === 'TRACE') throw new ServiceError('method_not_allowed', 'TRACE is not passed on');
  if (baseUrlOverride === undefined || call.mayOverride) return;
  throw new ServiceError('forbidden', 'Base-Url-Override needs the scope environment:proxy:override');
}

interface Asked {
  readonly call: Call;
  readonly options: ProxyOptions;
}

/** @throws ServiceError for a path that leaves its base, a base URL that is not allowed, an address that may not be called */
function wayOf(deps: ProxyDeps, found: FoundConnection, { call, options }: Asked): Way {
  const upstream = upstreamOf(deps, found);
  const rawUrl = call.request.url ?? '';
  const { baseUrlOverride } = options;
  if (baseUrlOverride === undefined) return { upstream, target: targetOf(upstream.base(), rawUrl, upstream.addedQuery) };

  const base = overrideBase(baseUrlOverride, upstream.allowedHosts());
  try {
    deps.outbound.check(new URL(base.origin));
  } catch (error) {
    throw toServiceError(error);
  }
  return { upstream, target: targetOf(base, rawUrl, upstream.addedQuery) };
}

async function renewedWay(
  deps: ProxyDeps,
  { call, options, refused }: Asked & { readonly refused: Connection },
): Promise<Way | undefined> {
  try {
    const { integration } = await deps.proxyLookup(call.environmentId, options.providerConfigKey, options.connectionId);
    const connection = await deps.fresh(refused, { after401: refused.generation });
    if (connection.generation === refused.generation) return undefined;
    return wayOf(deps, { integration, connection }, { call, options });
  } catch (error) {
    // The provider's own 401 tells the caller more than our failure to mend it.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
