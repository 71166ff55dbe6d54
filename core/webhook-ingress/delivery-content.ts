import type { ConnectionKey, Json, WebhookEvent } from '#contract';
import { ServiceError } from '../errors.ts';
import type { KeyRing, Place } from '../kit/key-ring.ts';
import { safeText } from '../kit/redact.ts';

const MAX_EVENTS = 1_000;
/** Of several events: a batch may repeat a part of the body in each. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const MAX_KEYS = 100;
/** Of an event's name: it is kept in columns and shown in lists, and may be anything that a sender writes. */
const MAX_TYPE = 255;

/** What of a delivery is stored encrypted until it is matched. */
export interface DeliveryContent {
  readonly events: readonly StoredEvent[];
  /** Of each forward. */
  readonly headers: Readonly<Record<string, string>>;
  /** Row IDs of the connections whose secrets it was signed with: it is for no others. */
  readonly only?: readonly number[];
  /** The connection whose registered address it came to: of several that an event names it is for this one. */
  readonly registeredFor?: string;
}

export interface StoredEvent {
  readonly type?: string;
  readonly connections: readonly ConnectionKey[];
  readonly payload: Json;
}

interface StoredDelivery {
  readonly id: number;
  readonly environment_id: number;
  readonly content: Buffer;
}

/** As it is stored, before encryption. @throws ServiceError `webhook_invalid_payload` where it became too large */
export function contentText(events: readonly WebhookEvent[], rest: Omit<DeliveryContent, 'events'>): string {
  if (events.length > MAX_EVENTS) throw tooMuch();
  const texts: string[] = [];
  let length = 0;
  for (const event of events) {
    const text = eventText(event);
    length += text.length;
    texts.push(text);
    if (texts.length > 1 && length > MAX_CHARACTERS) throw tooMuch();
  }
  return `{"events":[${texts.join(',')}],${JSON.stringify(rest).slice(1)}`;
}

/** A plugin may have unpacked something that is nested deeper than it can be written again. */
function eventText({ type, connections, payload }: WebhookEvent): string {
  const event = {
    ...(typeof type === 'string' && { type: safeText(type, MAX_TYPE) }),
    connections: connections.slice(0, MAX_KEYS),
    payload,
  };
  try {
    return JSON.stringify(event);
  } catch (cause) {
    throw new ServiceError('webhook_invalid_payload', 'the delivery cannot be written down again', { cause });
  }
}

/** @throws KeyRingError */
export function readContent(keys: KeyRing, row: StoredDelivery): DeliveryContent {
  return JSON.parse(keys.decrypt(row.content, contentPlace(row.environment_id, row.id)));
}

export function contentPlace(environmentId: number, rowId: number): Place {
  return { table: 'webhook_deliveries', column: 'content', environmentId, rowId };
}

function tooMuch(): ServiceError {
  return new ServiceError('webhook_invalid_payload', 'the delivery holds too many events');
}
