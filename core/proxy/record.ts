import type { IncomingMessage } from 'node:http';
import type { Activity, Operation } from '../activity/activity.ts';
import { ServiceError } from '../errors.ts';
import type { Outcome } from './exchange.ts';
import type { ProxyOptions } from './options.ts';

interface Recorded {
  readonly environmentId: number;
  readonly request: IncomingMessage;
  readonly options: Pick<ProxyOptions, 'connectionId' | 'providerConfigKey'>;
}

type Log = Pick<Activity, 'begin' | 'takesRoutine'>;

/** Keeps one entry of the operation log for a proxied call. The query stays out of it: it may hold secrets. */
export async function recorded(activity: Log, about: Recorded, work: () => Promise<Outcome>): Promise<void> {
  const started = performance.now();
  try {
    const outcome = await work();
    const isRoutine = outcome.kind === 'forwarded' && outcome.status < 400;
    if (!isRoutine || activity.takesRoutine())
      recordOutcome(beginOperation(activity, about, started), outcome, factsOf(about, started));
  } catch (error) {
    const operation = beginOperation(activity, about, started);
    const errorCode = error instanceof ServiceError ? error.code : 'server_error';
    operation.note('error', 'the call failed', { ...factsOf(about, started), errorCode });
    operation.end('failure');
    throw error;
  }
}

function beginOperation(activity: Log, { environmentId, request, options }: Recorded, started: number): Operation {
  const { connectionId, providerConfigKey } = options;
  return activity.begin({
    type: 'proxy',
    operation: request.method ?? '',
    environmentId,
    connectionId,
    providerConfigKey,
    sinceMs: performance.now() - started,
  });
}

function recordOutcome(operation: Operation, outcome: Outcome, facts: Readonly<Record<string, unknown>>): void {
  if (outcome.kind === 'forwarded') {
    operation.note('info', 'the provider answered', { ...facts, status: outcome.status });
    operation.end(outcome.status < 400 ? 'success' : 'failure');
    return;
  }
  const message = outcome.kind === 'gone' ? 'the caller left before the answer was complete' : 'the answer broke off';
  operation.note('warn', message, facts);
  operation.end('failure');
}

function factsOf({ request: { url = '' } }: Recorded, started: number): Record<string, unknown> {
  const queryAt = url.indexOf('?');
  return { path: queryAt === -1 ? url : url.slice(0, queryAt), durationMs: Math.round(performance.now() - started) };
}
