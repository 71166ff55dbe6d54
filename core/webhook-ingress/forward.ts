import type { Knex } from 'knex';
import type { KeyRing } from '../kit/key-ring.ts';
import type { MatchedWebhook, WebhookScripts } from '../scripts/webhook-scripts.ts';
import type { NewMessage } from '../webhook-delivery/messages.ts';
import { type DeliveryContent, readContent, type StoredEvent } from './delivery-content.ts';
import type { TakenDelivery } from './delivery-store.ts';
import type { MatchedConnection } from './find-connection-store.ts';
import { findConnections } from './find-connections.ts';
import type { MatchedDelivery, MatchedEvent } from './match-log.ts';
import type { MessageBatch } from './message-batch.ts';

interface ForwardDeps {
  readonly keys: KeyRing;
  readonly trx: Knex.Transaction;
  readonly messages: MessageBatch;
  readonly scripts: WebhookScripts;
}

/**
 * Finds out for whom a delivery is, and adds one message and one run of a script that wants it for each of its events and
 * connections; one message without a connection where an event is for none.
 */
export async function forwardDelivery(deps: ForwardDeps, delivery: TakenDelivery): Promise<MatchedDelivery> {
  const { events, ...rest } = readContent(deps.keys, delivery);
  const matched: MatchedEvent[] = [];
  for (const event of delivery.is_receiver_deleted ? [] : events) {
    matched.push(await forwardEvent(deps, { ...rest, delivery, event, bytes: delivery.content.length / events.length }));
  }
  return { delivery, events: matched };
}

/** One event of a delivery. */
interface Share extends Omit<DeliveryContent, 'events'> {
  readonly delivery: TakenDelivery;
  readonly event: StoredEvent;
  readonly bytes: number;
}

async function forwardEvent({ trx, messages, scripts }: ForwardDeps, share: Share): Promise<MatchedEvent> {
  const { delivery, event, bytes, registeredFor } = share;
  const connectionIds: string[] = [];
  const runScript = await scripts.runnerOf(matchedWebhook(share));
  const send = async (connection?: MatchedConnection) => {
    if (connection !== undefined) {
      connectionIds.push(connection.connectionId);
      await runScript?.(connection.id);
    }
    if (delivery.forward_webhooks) await messages.add(messageOf(share, connection), bytes);
  };
  const search = { integrationId: delivery.integration_id, keys: event.connections, registeredFor };
  for await (const page of findConnections(trx, search)) {
    for (const connection of page) if (isFor(connection, share)) await send(connection);
  }
  if (connectionIds.length === 0) await send();
  return { type: event.type, connectionIds };
}

/**
 * Whose webhooks the service registered gets those that came to its own address alone: the secret that signs them may lie in each
 * end user's account, so whoever has one could name the connection of another.
 */
function isFor({ id, connectionId, isRegistered }: MatchedConnection, { only, registeredFor }: Share): boolean {
  return (only === undefined || only.includes(id)) && (!isRegistered || connectionId === registeredFor);
}

function matchedWebhook({ delivery, event, headers }: Share): MatchedWebhook {
  const { environment_id: environmentId, integration_id: integrationId, verified } = delivery;
  return { environmentId, integrationId, webhook: { type: event.type ?? '', payload: event.payload, headers, verified } };
}

function messageOf({ delivery, event, headers }: Share, connection: MatchedConnection | undefined): NewMessage {
  const { environment_id: environmentId, unique_key: providerConfigKey, provider: from } = delivery;
  const connectionId = connection?.connectionId;
  return {
    environmentId,
    type: 'forward',
    ...(event.type !== undefined && { operation: event.type }),
    connectionId,
    providerConfigKey,
    webhookUrlOverride: connection?.webhookUrlOverride ?? null,
    body: bodyText({ from, providerConfigKey, type: 'forward', ...(connectionId !== undefined && { connectionId }) }, event),
    headers,
  };
}

/** What was received stands in it byte for byte. */
function bodyText(
  envelope: Readonly<Record<string, string>>,
  { payload, json = JSON.stringify(payload ?? null) }: StoredEvent,
): string {
  return `${JSON.stringify(envelope).slice(0, -1)},"payload":${json}}`;
}
