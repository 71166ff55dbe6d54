import type { WebhookDeliveryDeps } from './deps.ts';
import type { ClaimedMessage } from './message-store.ts';
import type { LockedTarget } from './target-store.ts';

/** Logs that a message was not delivered, in the operation log and the process log. */
export function noteMessage(deps: WebhookDeliveryDeps, message: ClaimedMessage, what: string): void {
  const { environment_id: environmentId, connectionId, providerConfigKey, messageId, tries } = message;
  const about = { ...(connectionId !== null && { connectionId }), ...(providerConfigKey !== null && { providerConfigKey }) };
  const operation = deps.activity.begin({ type: 'webhook', operation: 'delivery', environmentId, ...about });
  operation.note('error', `webhook message ${what}`, { messageId, tries });
  operation.end('failure');
  deps.log.warn(`webhook message ${what}`, { logId: operation.id, messageId, tries });
}

/** Logs the same of a target. */
export function noteTarget(
  deps: WebhookDeliveryDeps,
  target: Pick<LockedTarget, 'id' | 'environmentId' | 'slot'>,
  what: string,
): void {
  const { id: targetId, environmentId, slot } = target;
  const operation = deps.activity.begin({ type: 'webhook', operation: 'delivery', environmentId });
  operation.note('error', `webhook target ${what}`, { targetId, slot });
  operation.end('failure');
  deps.log.warn(`webhook target ${what}`, { logId: operation.id, environmentId, targetId, slot });
}
