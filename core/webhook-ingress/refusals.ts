import { ServiceError } from '../errors.ts';
import type { Counters } from '../journal/counters.ts';
import type { Activity } from '../journal/operation-log/activity.ts';
import { FixedWindow } from '../kit/fixed-window.ts';
import type { Receiver } from './receivers.ts';

/** Maximum number of log entries per integration and minute: anyone can send any number of requests that are rejected. */
const PER_MINUTE = 20;

/** @param now returns milliseconds of a monotonic clock */
export function createRefusalLimit(now: () => number = () => performance.now()): FixedWindow {
  return new FixedWindow(PER_MINUTE, now);
}

interface RefusalLog {
  readonly activity: Pick<Activity, 'begin' | 'count'>;
  readonly counters: Counters;
  readonly refusals: FixedWindow;
}

/**
 * Counts a rejected delivery, and writes to the operation log why it was rejected; a failure of the service is not a rejection.
 *
 * @param receiver undefined when the URL is of no integration
 */
export function noteRefusal({ activity, counters, refusals }: RefusalLog, receiver: Receiver | undefined, cause: unknown): void {
  if (!(cause instanceof ServiceError) || cause.status >= 500) return;
  counters.delivery(receiver?.integration.provider, 'refused');
  if (receiver === undefined) return;
  const { integration } = receiver;
  const { code, message } = cause;
  const { environmentId, uniqueKey: providerConfigKey } = integration;
  activity.count('received', { environmentId, status: 'failure' });
  if (refusals.consume(integration.id).retryAfterSeconds !== undefined) return;
  const operation = activity.begin({ type: 'webhook', operation: 'refused', environmentId, providerConfigKey });
  operation.note('warn', 'a delivery was rejected', { error: code, reason: message });
  operation.describe({ summary: `a delivery was rejected: ${message}`, errorCode: code });
  operation.end('failure');
}
