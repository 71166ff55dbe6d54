import type { Knex } from 'knex';
import type { KeyRing } from '../kit/key-ring.ts';
import { currentTrace } from '../kit/tracing.ts';
import type { MatchedWebhook, WebhookScripts } from '../scripts/webhook-scripts.ts';
import type { NewMessage } from '../webhook-delivery/messages.ts';
import type { SharedPayload } from '../webhook-delivery/payload.ts';
import type { PayloadBatch } from '../webhook-delivery/payload-batch.ts';
import { type DeliveryContent, readContent, type StoredEvent } from './delivery-content.ts';
import type { ClaimedDelivery } from './delivery-store.ts';
import type { MatchedConnection } from './find-connection-store.ts';
import { findConnections } from './find-connections.ts';
import type { MatchedDelivery, MatchedEvent } from './match-log.ts';

interface ForwardContext {
  readonly keys: KeyRing;
  readonly trx: Knex.Transaction;
  readonly messages: PayloadBatch<NewMessage>;
  readonly scripts: WebhookScripts;
}

/**
 * Matches a delivery. Adds a webhook and a run of a subscribed script for each event and connection, and one webhook for an event
 * without connections.
 */
export async function forwardDelivery(deps: ForwardContext, delivery: ClaimedDelivery): Promise<MatchedDelivery> {
  const { events, ...rest } = readContent(deps.keys, delivery);
  const matched: MatchedEvent[] = [];
  // Several events may have the whole body as their payload.
  const payloads = new Map<string, SharedPayload>();
  for (const event of delivery.is_receiver_deleted ? [] : events) {
    const { json: text = JSON.stringify(event.payload ?? null) } = event;
    const payload = payloads.get(text) ?? { environmentId: delivery.environment_id, text };
    payloads.set(text, payload);
    matched.push(await forwardEvent(deps, { ...rest, delivery, event, payload }));
  }
  return { delivery, events: matched };
}

/** One event of a delivery, with the properties that all its events have in common. */
interface Share extends Omit<DeliveryContent, 'events'> {
  readonly delivery: ClaimedDelivery;
  readonly event: StoredEvent;
  readonly payload: SharedPayload;
}

async function forwardEvent({ trx, messages, scripts }: ForwardContext, share: Share): Promise<MatchedEvent> {
  const { delivery, event, registeredFor } = share;
  const connectionIds: string[] = [];
  let isForwarded = false;
  const run = await scripts.runOf(matchedWebhook(share));
  const send = async (connection?: MatchedConnection) => {
    if (connection !== undefined) {
      connectionIds.push(connection.connectionId);
      if (run !== undefined) await scripts.add(run, connection.id);
    }
    if (!delivery.forward_webhooks || !hasUrl(delivery, connection)) return;
    await messages.add(messageOf(share, connection));
    isForwarded = true;
  };
  const search = { integrationId: delivery.integration_id, keys: event.connections, registeredFor };
  for await (const page of findConnections(trx, search)) {
    for (const connection of page) if (isFor(connection, share)) await send(connection);
  }
  if (connectionIds.length === 0) await send();
  return { type: event.type, connectionIds, isForwarded };
}

function hasUrl(delivery: ClaimedDelivery, connection: MatchedConnection | undefined): boolean {
  return delivery.has_webhook_url || connection?.webhookUrlOverride != null;
}

/**
 * Returns whether a connection may receive the event. One with a registered webhook only gets deliveries to its own URL: the
 * signing secret may be known to each end user, who could name the connection of another.
 */
function isFor({ id, connectionId, isRegistered }: MatchedConnection, { only, registeredFor }: Share): boolean {
  return (only === undefined || only.includes(id)) && (!isRegistered || connectionId === registeredFor);
}

function matchedWebhook({ delivery, event, payload, headers }: Share): MatchedWebhook {
  const { environment_id: environmentId, integration_id: integrationId, verified } = delivery;
  return { environmentId, integrationId, head: { type: event.type ?? '', headers, verified }, payload };
}

function messageOf({ delivery, event, payload, headers }: Share, connection: MatchedConnection | undefined): NewMessage {
  const { environment_id: environmentId, unique_key: providerConfigKey, provider: from } = delivery;
  const connectionId = connection?.connectionId;
  return {
    environmentId,
    type: 'forward',
    ...(event.type !== undefined && { operation: event.type }),
    connectionId,
    providerConfigKey,
    webhookUrlOverride: connection?.webhookUrlOverride ?? null,
    body: { from, providerConfigKey, type: 'forward', ...(connectionId !== undefined && { connectionId }) },
    payload,
    headers,
    traceContext: currentTrace(),
  };
}
