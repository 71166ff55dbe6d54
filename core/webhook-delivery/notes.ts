import type { Operation } from '../journal/operation-log/activity.ts';
import type { AttemptOutcome } from './attempt.ts';
import type { WebhookDeliveryDeps } from './deps.ts';
import type { AfterFailure, ClaimedMessage } from './message-store.ts';
import type { LockedTarget } from './target-store.ts';

/** Writes an attempt to the operation log. @param after the webhook's state after a failed attempt, unless it was given up */
export function noteAttempt(
  deps: WebhookDeliveryDeps,
  message: ClaimedMessage,
  { outcome, after }: { readonly outcome: AttemptOutcome; readonly after?: AfterFailure },
): void {
  const { status, error, durationMs } = outcome;
  const { messageId, tries } = message;
  const operation = beginFor(deps, message, durationMs);
  const result = `webhook${status === null ? `: ${error}` : ` → ${status}`}${after === undefined ? '' : whatFollows(after)}`;
  operation.note(after === undefined ? 'info' : 'warn', `${message.type} ${result}`, { messageId, tries });
  operation.describe({ summary: `${nameOf(message)} ${result}`, ...codesOf(outcome) });
  operation.end(after === undefined ? 'success' : after.status === 'pending' ? 'retrying' : 'failure');
}

function whatFollows({ status, waitMs }: AfterFailure): string {
  if (status === 'paused') return '; it waits, since its target is paused';
  return waitMs === undefined ? '' : `, next attempt in ${Math.round(waitMs / 1_000)} s`;
}

function codesOf({ status, error }: Pick<AttemptOutcome, 'status' | 'error'>) {
  return { ...(status !== null && { httpStatus: status }), ...(error !== null && { errorCode: error }) };
}

/** Counts a webhook that was given up after this outcome, and logs it in the operation log and the process log. */
export function noteMessage(
  deps: WebhookDeliveryDeps,
  message: ClaimedMessage,
  { what, outcome }: { readonly what: string; readonly outcome: Pick<AttemptOutcome, 'status' | 'error'> },
): void {
  const { messageId, tries } = message;
  const operation = beginFor(deps, message);
  operation.note('error', `a webhook ${what}`, { messageId, tries });
  operation.describe({ summary: `${nameOf(message)} webhook ${what}`, ...codesOf(outcome) });
  operation.end('failure');
  deps.counters.webhookGivenUp();
  deps.log.warn(`a webhook ${what}`, { logId: operation.id, messageId, tries });
}

/** Logs an event of a target, in the same two logs. */
export function noteTarget(
  deps: WebhookDeliveryDeps,
  target: Pick<LockedTarget, 'id' | 'environmentId' | 'slot'>,
  what: string,
): void {
  const { id: targetId, environmentId, slot } = target;
  const operation = deps.activity.begin({ type: 'webhook', operation: 'target', environmentId });
  operation.note('error', `a webhook target ${what}`, { targetId, slot });
  operation.end('failure');
  deps.log.warn(`a webhook target ${what}`, { logId: operation.id, environmentId, targetId, slot });
}

function beginFor({ activity }: WebhookDeliveryDeps, message: ClaimedMessage, sinceMs = 0): Operation {
  const { environment_id: environmentId, connectionId, providerConfigKey } = message;
  const about = { connectionId: connectionId ?? undefined, providerConfigKey: providerConfigKey ?? undefined };
  const operation = message.type === 'forward' ? 'forwarded' : message.type;
  return activity.begin({ type: 'webhook', operation, environmentId, ...about, sinceMs });
}

function nameOf({ type, operation, success }: ClaimedMessage): string {
  const name = operation === null ? type : `${type} ${operation}`;
  return success === false ? `${name} (failed)` : name;
}
