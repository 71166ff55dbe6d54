import type { Activity } from '../activity/activity.ts';
import { ServiceError } from '../errors.ts';
import { FixedWindow } from '../kit/fixed-window.ts';
import type { Receiver } from './receivers.ts';

/** Entries in the log per integration and minute: anybody can be refused as often as they like. */
const PER_MINUTE = 20;

/** @param now milliseconds of a clock that never goes back */
export function createRefusalLimit(now: () => number = () => performance.now()): FixedWindow {
  return new FixedWindow(PER_MINUTE, now);
}

interface RefusalDeps {
  readonly activity: Pick<Activity, 'begin'>;
  readonly refusals: FixedWindow;
}

/** Does the work, and writes to the operation log why it refused the delivery. */
export async function noteRefusal<T>(deps: RefusalDeps, receiver: Receiver, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) noteError(deps, receiver, error);
    throw error;
  }
}

function noteError({ activity, refusals }: RefusalDeps, { integration }: Receiver, { code, message }: ServiceError): void {
  if (refusals.consume(integration.id).retryAfterSeconds !== undefined) return;
  const { environmentId, uniqueKey: providerConfigKey } = integration;
  const operation = activity.begin({ type: 'webhook', operation: 'delivery', environmentId, providerConfigKey });
  operation.note('warn', 'a webhook was refused', { error: code, reason: message });
  operation.end('failure');
}
