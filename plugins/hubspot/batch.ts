import { createHash } from 'node:crypto';
import { type ConnectionKey, type Json, textAt, type WebhookEvent } from '#contract';

/** Up to a hundred events of any of the app's accounts come in one delivery. */
export function eventsOf(payload: Json): WebhookEvent[] {
  return listOf(payload).map((event) => ({
    type: textAt(event, 'subscriptionType') ?? textAt(event, 'eventType'),
    connections: connectionsOf(event),
    payload: event,
  }));
}

/** HubSpot has none, `eventId` is not unique, and each try has its own signature and `attemptNumber`: all but those says it. */
export function batchId(payload: Json): string {
  const text = JSON.stringify(listOf(payload), (name, value: unknown) => (name === 'attemptNumber' ? undefined : value));
  return createHash('sha256').update(text).digest('hex');
}

/** Calls of an app's own workflow actions have the account at their origin (docs: "Custom workflow actions"). */
function connectionsOf(event: Json): ConnectionKey[] {
  const account = textAt(event, 'portalId') ?? textAt(event, 'origin.portalId');
  return account === undefined ? [] : [{ by: 'connectionConfig', field: 'hub_id', value: account }];
}

function listOf(payload: Json): readonly Json[] {
  return isList(payload) ? payload : [payload];
}

function isList(payload: Json): payload is readonly Json[] {
  return Array.isArray(payload);
}
