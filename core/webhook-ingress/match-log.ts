import type { Counters } from '../journal/counters.ts';
import type { Activity } from '../journal/operation-log/activity.ts';
import type { ClaimedDelivery } from './delivery-store.ts';

const MAX_EVENTS = 20;
const MAX_CONNECTIONS = 10;

export interface MatchedEvent {
  readonly type: string | undefined;
  /** Empty when the event was forwarded without a connection. */
  readonly connectionIds: readonly string[];
  /** Whether a webhook to the application was stored. */
  readonly isForwarded: boolean;
}

export interface MatchedDelivery {
  readonly delivery: ClaimedDelivery;
  readonly events: readonly MatchedEvent[];
}

/**
 * Counts a matched delivery and writes its matches to the operation log, unless its integration or environment is deleted. Unlike entries about
 * proxied calls, these have no rate limit.
 */
export function noteMatch(
  { activity, counters }: { readonly activity: Pick<Activity, 'begin' | 'count'>; readonly counters: Counters },
  { delivery, events }: MatchedDelivery,
): void {
  if (delivery.is_receiver_deleted) return;
  const types = [...new Set(events.flatMap(({ type }) => type ?? []))];
  const connectionIds = [...new Set(events.flatMap((event) => event.connectionIds))];
  const [connectionId] = connectionIds;
  counters.match(delivery.provider, connectionIds.length === 0 ? 'unmatched' : 'matched');
  const operation = activity.begin({
    type: 'webhook',
    operation: 'received',
    environmentId: delivery.environment_id,
    providerConfigKey: delivery.unique_key,
    ...(connectionId !== undefined && connectionIds.length === 1 && { connectionId }),
  });
  const wherefore = receivedFor(connectionIds.length);
  operation.note('info', `a delivery ${wherefore}`, {
    verified: delivery.verified,
    forwarded: events.some(({ isForwarded }) => isForwarded),
    receivedAt: delivery.received_at,
    connectionCount: connectionIds.length,
    events: events.slice(0, MAX_EVENTS).map((event) => ({
      type: event.type ?? null,
      connectionIds: event.connectionIds.slice(0, MAX_CONNECTIONS),
    })),
  });
  if (types.length > 0) operation.describe({ summary: `${types.slice(0, MAX_EVENTS).join(', ')} ${wherefore}` });
  operation.end('success');
  activity.count('received', { environmentId: delivery.environment_id, status: 'success' });
}

function receivedFor(connections: number): string {
  if (connections === 0) return 'matched no connection';
  return connections === 1 ? 'matched a connection' : 'matched several connections';
}
