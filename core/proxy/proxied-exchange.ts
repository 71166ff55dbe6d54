import { setTimeout as pause } from 'node:timers/promises';
import { tokenSet } from '../auth-modes/token-set.ts';
import { callRule } from '../catalogue/plugins/call-rule.ts';
import { ServiceError } from '../errors.ts';
import { poolFor } from '../kit/outbound.ts';
import { inAttemptSpan } from './attempt-span.ts';
import type { ProxyDeps } from './deps.ts';
import type { ProxyRequest } from './message.ts';
import { outgoingHead } from './outgoing-request.ts';
import { headerValue, joinedByName, type RawHeaders } from './raw-headers.ts';
import { RequestBody } from './request-body.ts';
import { type ConnectionSource, type ResolvedUpstream, renewUpstream, resolveUpstream } from './resolve.ts';
import { RetryPolicy } from './retry-policy.ts';
import { discard, type ResponseHead, send, type UpstreamResponse } from './send.ts';
import { type AddedQuery, joinQuery, type UpstreamTarget } from './target.ts';
import type { Upstream } from './upstream.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/**
 * Returns where a redirect sends the request, if it may be followed: the origin is the same, and repeating is safe (RFC 9110
 * §15.4). Other redirects are passed to the caller, since the credentials are for this origin only.
 *
 * @param added the parameters of every request to the provider, which may be credentials
 */
export function followedRedirect(
  method: string,
  response: ResponseHead,
  { from, added }: { readonly from: UpstreamTarget; readonly added: AddedQuery },
): UpstreamTarget | undefined {
  if (!REDIRECTS.has(response.status) || (method !== 'GET' && method !== 'HEAD')) return undefined;
  const location = headerValue(response.headers, 'location');
  const url = location === undefined ? null : URL.parse(location, from.origin + from.path);
  // A user name in the URL would be credentials chosen by the provider.
  if (url === null || url.origin !== from.origin || url.username !== '' || url.password !== '') return undefined;
  return { origin: from.origin, path: url.pathname + joinQuery(url.search, added) };
}

const UNAUTHORIZED = 401;

/** The result of one attempt: a response, or the reason why there is none. */
type AttemptResult = UpstreamResponse | ServiceError;

/** The attempts of one proxied call; most calls have one. */
export class ProxiedExchange {
  readonly #deps: ProxyDeps;
  readonly #connections: ConnectionSource;
  readonly #request: ProxyRequest;
  readonly #body: RequestBody;
  readonly #retries: RetryPolicy;
  #redirects = 0;
  #wasRenewed = false;
  #hasPluginRetry = false;

  constructor(
    deps: ProxyDeps,
    connections: ConnectionSource,
    { request, upstream }: { request: ProxyRequest; upstream: Upstream },
  ) {
    const { options, method, headers } = request;
    this.#deps = deps;
    this.#connections = connections;
    this.#request = request;
    this.#body = new RequestBody(request);
    this.#retries = new RetryPolicy({
      options,
      method,
      hasIdempotencyKey: headerValue(headers, 'idempotency-key') !== undefined,
      hints: upstream.hints,
      now: () => deps.clock.now(),
      random: deps.random,
    });
  }

  /**
   * Makes one attempt.
   *
   * @throws ServiceError when the request cannot be built; the signal's reason when the caller has disconnected
   */
  send(resolved: ResolvedUpstream): Promise<AttemptResult> {
    const { tracer } = this.#deps;
    if (tracer === undefined) return this.#attempt(resolved, this.#request.headers);
    return inAttemptSpan(tracer, { request: this.#request, resolved }, (headers) => this.#attempt(resolved, headers));
  }

  async #attempt(resolved: ResolvedUpstream, headers: RawHeaders): Promise<AttemptResult> {
    const { method, options, signal } = this.#request;
    const head = await outgoingHead(this.#deps, resolved, { method, headers, body: this.#body });
    const { firstByteMs, idleMs } = options;
    try {
      const { dispatcher } = poolFor(this.#deps.outbound, resolved.upstream);
      return await send(dispatcher, { ...head, body: this.#body.content, firstByteMs, idleMs, signal });
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
  }

  /**
   * Decides where to send the request next, after refreshed credentials, a redirect or a wait; undefined if the result is for the
   * caller.
   *
   * @throws ServiceError when the plugin fails, and those of `resolveUpstream`
   */
  async decideRetry(resolved: ResolvedUpstream, result: AttemptResult): Promise<ResolvedUpstream | undefined> {
    try {
      const renewed = this.#isRejected(resolved, result) ? await this.#renew(resolved) : undefined;
      const next = renewed ?? this.#redirected(resolved, result);
      const delayMs = next === undefined ? this.#retries.nextDelayMs(result, this.#pluginDelayMs(resolved, result)) : 0;
      if (delayMs === undefined || !(await this.#body.rewind())) return undefined;
      discardResponse(result);
      return next ?? (await this.#resolvedAfter(delayMs));
    } catch (error) {
      discardResponse(result);
      throw error;
    }
  }

  #isRejected({ upstream }: ResolvedUpstream, result: AttemptResult): boolean {
    if (result instanceof ServiceError || result.status !== UNAUTHORIZED) return false;
    return !this.#wasRenewed && upstream.isRefreshable;
  }

  /**
   * Refreshes the credentials, at most once a call: a provider that also rejects fresh credentials has another reason. A token
   * that was refreshed moments ago is left alone (`credentials/refresh-decision.ts`).
   */
  #renew({ upstream }: ResolvedUpstream): Promise<ResolvedUpstream | undefined> {
    this.#wasRenewed = true;
    return renewUpstream(this.#deps, this.#connections, { routing: this.#request, rejected: upstream.connection });
  }

  #redirected({ upstream, target }: ResolvedUpstream, result: AttemptResult): ResolvedUpstream | undefined {
    if (result instanceof ServiceError || this.#redirects >= MAX_REDIRECTS) return undefined;
    const next = followedRedirect(this.#request.method, result, { from: target, added: upstream.addedQuery });
    if (next === undefined) return undefined;
    this.#redirects += 1;
    return { upstream, target: next };
  }

  /**
   * Returns after how many milliseconds the plugin wants the request to be sent again; undefined if it does not. It is asked only
   * for requests without a body, and its wish is granted once per call.
   */
  #pluginDelayMs({ upstream }: ResolvedUpstream, result: AttemptResult): number | undefined {
    if (this.#hasPluginRetry || this.#body.content !== null || result instanceof ServiceError) return undefined;
    const delayMs = askPlugin(this.#deps, upstream, result);
    this.#hasPluginRetry = delayMs !== undefined;
    return delayMs;
  }

  /** Waits, then resolves the upstream again: the wait may have been long enough for the credentials to change. */
  async #resolvedAfter(delayMs: number): Promise<ResolvedUpstream> {
    await pause(delayMs, undefined, { signal: this.#request.signal }).catch(() => undefined);
    return resolveUpstream(this.#deps, this.#connections, this.#request);
  }
}

/**
 * Asks the plugin after how many milliseconds to repeat a request; undefined for no retry.
 *
 * @throws ServiceError if the plugin fails
 */
function askPlugin({ log }: ProxyDeps, { connection, rules }: Upstream, { status, headers }: ResponseHead): number | undefined {
  const retryAfter = rules?.retryAfter;
  if (retryAfter === undefined) return undefined;
  const { provider, connectionId, credentials } = connection;
  const call = { rule: 'proxy.retryAfter', provider, connectionId, tokens: () => tokenSet(credentials) };
  return callRule({ log }, call, () => {
    const delayMs = retryAfter(status, joinedByName(headers));
    if (delayMs !== undefined && !(delayMs >= 0)) throw new Error('it did not return a number of milliseconds');
    return delayMs;
  });
}

function discardResponse(result: AttemptResult): void {
  if (!(result instanceof ServiceError)) discard(result);
}
