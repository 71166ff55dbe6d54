import type { Operation } from '../journal/operation-log/activity.ts';
import type { AttemptOutcome } from './attempt.ts';
import type { WebhookDeliveryDeps } from './deps.ts';
import type { AfterFailure, ClaimedMessage } from './message-store.ts';

/** Writes an attempt to the operation log. @param after set if the attempt failed and another one follows */
export function noteAttempt(
  deps: WebhookDeliveryDeps,
  message: ClaimedMessage,
  { outcome, after }: { readonly outcome: AttemptOutcome; readonly after?: AfterFailure },
): void {
  const { status, error, durationMs } = outcome;
  const { messageId, tries } = message;
  const operation = beginFor(deps, message, durationMs);
  const result = `webhook${status === null ? `: ${error}` : ` → ${status}`}`;
  const next = after?.waitMs === undefined ? '' : `, next attempt in ${Math.round(after.waitMs / 1_000)} s`;
  operation.note(after === undefined ? 'info' : 'warn', `${message.type} ${result}${next}`, { messageId, tries });
  operation.describe({
    summary: `${nameOf(message)} ${result}${next}`,
    ...(status !== null && { httpStatus: status }),
    ...(error !== null && { errorCode: error }),
  });
  operation.end(after === undefined ? 'success' : 'retrying');
}

import type { LockedTarget } from './target-store.ts';

/** Logs that a webhook was not delivered, in the operation log and the process log. */
export function noteMessage(deps: WebhookDeliveryDeps, message: ClaimedMessage, what: string): void {
  const { messageId, tries } = message;
  const operation = beginFor(deps, message);
  operation.note('error', `a webhook ${what}`, { messageId, tries });
  operation.describe({ summary: `${nameOf(message)} webhook ${what}` });
  operation.end('failure');
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

function nameOf({ type, operation }: ClaimedMessage): string {
  return operation === null ? type : `${type} ${operation}`;
}
