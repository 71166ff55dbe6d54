import type { Activity, Operation } from '../activity/activity.ts';
import { ServiceError } from '../errors.ts';
import type { ProxyRequest, ProxyResponse } from './message.ts';

/** How a call ended: relayed completely, interrupted in the middle of the response, or abandoned by its caller. */
export type ProxyOutcome =
  | { readonly kind: 'relayed'; readonly status: number }
  | { readonly kind: 'interrupted' | 'disconnected' };

type Recorded = Pick<ProxyRequest, 'environmentId' | 'method' | 'target'> & {
  readonly options: Pick<ProxyRequest['options'], 'connectionId' | 'providerConfigKey'>;
};

/** One entry of the operation log for a proxied call, without the query, which may contain secrets. */
export class CallRecord {
  readonly #activity: Pick<Activity, 'begin' | 'takesRoutine'>;
  readonly #call: Recorded;
  readonly #started = performance.now();

  constructor(activity: Pick<Activity, 'begin' | 'takesRoutine'>, call: Recorded) {
    this.#activity = activity;
    this.#call = call;
  }

  /** Writes the entry at the end of the response's body. */
  endWith({ status, body }: ProxyResponse, signal: AbortSignal): void {
    body.on('close', () => this.end(outcomeOf(status, body, signal)));
  }

  end(outcome: ProxyOutcome): void {
    if (outcome.kind === 'relayed') {
      const isSuccess = outcome.status < 400;
      if (isSuccess && !this.#activity.takesRoutine()) return;
      const operation = this.#begin();
      operation.note('info', 'the provider responded', { ...this.#facts(), status: outcome.status });
      operation.end(isSuccess ? 'success' : 'failure');
      return;
    }
    const isInterrupted = outcome.kind === 'interrupted';
    const operation = this.#begin();
    operation.note(
      'warn',
      isInterrupted ? 'the response was interrupted' : 'the caller disconnected before the end',
      this.#facts(),
    );
    operation.end('failure');
  }

  fail(error: unknown): void {
    const operation = this.#begin();
    const errorCode = error instanceof ServiceError ? error.code : 'server_error';
    operation.note('error', 'the call failed', { ...this.#facts(), errorCode });
    operation.end('failure');
  }

  #begin(): Operation {
    const { environmentId, method, options } = this.#call;
    const { connectionId, providerConfigKey } = options;
    const sinceMs = performance.now() - this.#started;
    return this.#activity.begin({ type: 'proxy', operation: method, environmentId, connectionId, providerConfigKey, sinceMs });
  }

  #facts(): Record<string, unknown> {
    const [path] = this.#call.target.split('?', 1);
    return { path, durationMs: Math.round(performance.now() - this.#started) };
  }
}

function outcomeOf(status: number, body: ProxyResponse['body'], signal: AbortSignal): ProxyOutcome {
  if (body.readableEnded) return { kind: 'relayed', status };
  const { errored } = body;
  const isAbandoned = errored === null || errored === signal.reason || errored.name === 'AbortError';
  return { kind: isAbandoned ? 'disconnected' : 'interrupted' };
}
