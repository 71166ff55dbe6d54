import { createHash } from 'node:crypto';
import { type ConnectionKey, type Json, textAt, type WebhookEvent } from '#contract';

/**
 * Splits a delivery into its events. HubSpot sends up to a hundred events in one delivery, which may concern any accounts of the
 * app.
 */
export function eventsOf(payload: Json): WebhookEvent[] {
  return listOf(payload).map((event) => ({
    type: textAt(event, 'subscriptionType') ?? textAt(event, 'eventType'),
    connections: connectionsOf(event),
    payload: event,
  }));
}

/**
 * Returns an ID that is the same for all attempts at a delivery: a hash of the batch without `attemptNumber`. HubSpot sends no
 * delivery ID, `eventId` is not unique, and each attempt has a different signature.
 */
export function batchId(payload: Json): string {
  const text = JSON.stringify(listOf(payload), (name, value: unknown) => (name === 'attemptNumber' ? undefined : value));
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Finds the account of an event. Events from workflow actions of the app name it in `origin` (docs: "Custom workflow actions").
 */
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
