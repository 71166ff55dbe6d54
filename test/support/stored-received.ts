import { noteMatch } from '../../core/webhook-ingress/match-log.ts';
import type { TestApp } from './app.ts';

const DELIVERY = { id: 1, environment_id: 1, integration_id: 1, provider: 'generic-oauth', content: Buffer.of(), verified: true };
const RECEIVED = {
  ...DELIVERY,
  received_at: new Date(),
  trace_context: null,
  forward_webhooks: true,
  has_webhook_url: true,
  is_receiver_deleted: false,
};

/** A delivery of a provider, of one event. */
interface Received {
  readonly uniqueKey: string;
  readonly type?: string | undefined;
  /** The connections that match; without any, the delivery counts as not verified. */
  readonly connectionIds: readonly string[];
}

/** Writes the entry that the operation log has of a delivery once it was matched. @returns when the delivery arrived */
export async function storeReceived(
  { services }: Pick<TestApp, 'services'>,
  { uniqueKey, type, connectionIds }: Received,
): Promise<Date> {
  const delivery = { ...RECEIVED, unique_key: uniqueKey, verified: connectionIds.length > 0 };
  noteMatch(services, { delivery, events: [{ type, connectionIds, isForwarded: true }] });
  await services.activity.flush();
  return delivery.received_at;
}
