import { ServiceError } from '../errors.ts';
import type { Operation } from '../journal/operation-log/activity.ts';
import { currentActor } from '../journal/operation-log/actor.ts';
import { faultKind, faultWords } from '../kit/fault-words.ts';
import { OutboundError } from '../kit/outbound.ts';
import type { ProxyDeps } from './deps.ts';
import type { ProxyRequest, ProxyResponse } from './message.ts';
import type { ResolvedUpstream } from './resolve.ts';

/** How a call ended: relayed completely, interrupted in the middle of the response, or abandoned by its caller. */
export type ProxyOutcome =
  | { readonly kind: 'relayed'; readonly status: number }
  | { readonly kind: 'interrupted' | 'disconnected' };

type RecordedCall = Pick<ProxyRequest, 'environmentId' | 'method' | 'target'> & {
  readonly options: Pick<ProxyRequest['options'], 'connectionId' | 'providerConfigKey'>;
};

type RecordDeps = Pick<ProxyDeps, 'activity' | 'counters'>;

/** The record of a proxied call: its count, and its entry in the operation log, without the query, which may contain secrets. */
export class CallRecord {
  readonly #deps: RecordDeps;
  readonly #call: RecordedCall;
  // Determined now: when the body ends, the context may be that of another call on the same socket.
  readonly #actor = currentActor();
  readonly #started = performance.now();
  #provider: string | undefined;
  #origin: string | undefined;

  constructor(deps: RecordDeps, call: RecordedCall) {
    this.#deps = deps;
    this.#call = call;
  }

  /** Notes where the call goes, as soon as that is known, and again when it goes elsewhere. */
  goesTo({ upstream, target }: ResolvedUpstream): void {
    this.#provider = upstream.connection.provider;
    this.#origin = target.origin;
  }

  /** Writes the entry at the end of the response's body. */
  endWith({ status, body }: ProxyResponse, signal: AbortSignal): void {
    body.on('close', () => this.end(outcomeOf(status, body, signal)));
  }

  end(outcome: ProxyOutcome): void {
    this.#deps.counters.proxiedCall(this.#provider, outcome.kind === 'relayed' ? outcome.status : outcome.kind);
    if (outcome.kind === 'relayed') {
      const { status } = outcome;
      const isSuccess = status < 400;
      if (isSuccess && !this.#deps.activity.takesRoutine(this.#call.environmentId)) return;
      const operation = this.#begin();
      operation.note('info', 'the provider responded', { ...this.#facts(), status });
      operation.describe({ summary: `${this.#line} → ${status}`, httpStatus: status });
      operation.end(isSuccess ? 'success' : 'failure');
      return;
    }
    const isInterrupted = outcome.kind === 'interrupted';
    const operation = this.#begin();
    const message = isInterrupted ? 'the response was interrupted' : 'the caller stopped before the end of the response';
    operation.note('warn', message, this.#facts());
    operation.describe({ summary: `${this.#line}: ${message}` });
    operation.end(isInterrupted ? 'failure' : 'cancelled');
  }

  fail(error: unknown): void {
    this.#deps.counters.proxiedCall(this.#provider, { error });
    const operation = this.#begin();
    const errorCode = error instanceof ServiceError ? error.code : 'server_error';
    const cause = error instanceof ServiceError ? error.cause : undefined;
    const origin = this.#origin;
    const host = origin === undefined ? 'the provider' : new URL(origin).host;
    const fault = cause instanceof OutboundError && { kind: faultKind(cause), reason: faultWords(cause, host) };
    operation.note('error', 'the call failed', {
      ...this.#facts(),
      errorCode,
      ...(fault && { fault: { ...fault, host, origin } }),
    });
    operation.describe({ summary: `${this.#line} → ${errorCode}`, errorCode });
    operation.end('failure');
  }

  get #path(): string {
    return this.#call.target.split('?', 1)[0] ?? '';
  }

  get #line(): string {
    return `${this.#call.method} ${this.#path.replace(/^\/proxy(?=\/)/, '')}`;
  }

  #begin(): Operation {
    const { environmentId, method, options } = this.#call;
    const { connectionId, providerConfigKey } = options;
    const about = { environmentId, connectionId, providerConfigKey, actor: this.#actor };
    return this.#deps.activity.begin({ type: 'proxy', operation: method, ...about, sinceMs: performance.now() - this.#started });
  }

  #facts(): Record<string, unknown> {
    return { method: this.#call.method, path: this.#path, durationMs: Math.round(performance.now() - this.#started) };
  }
}

function outcomeOf(status: number, body: ProxyResponse['body'], signal: AbortSignal): ProxyOutcome {
  if (body.readableEnded) return { kind: 'relayed', status };
  const { errored } = body;
  const isAbandoned = errored === null || errored === signal.reason || errored.name === 'AbortError';
  return { kind: isAbandoned ? 'disconnected' : 'interrupted' };
}
