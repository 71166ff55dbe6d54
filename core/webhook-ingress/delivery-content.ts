import type { ConnectionKey, Json, WebhookEvent } from '#contract';
import { ServiceError } from '../errors.ts';
import { parseJson } from '../kit/exact-json.ts';
import type { KeyRing, Place } from '../kit/key-ring.ts';
import { safeText } from '../kit/redact.ts';

const MAX_EVENTS = 1_000;
/** Maximum size of all events together: each event of a batch may repeat a part of the body. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const MAX_KEYS = 100;
/** Maximum length of an event's name, which is stored in columns and may be arbitrary input. */
const MAX_TYPE = 255;

/** The encrypted content of a delivery until it is matched. */
export interface DeliveryContent {
  readonly events: readonly StoredEvent[];
  /** The headers of each forwarded webhook. */
  readonly headers: Readonly<Record<string, string>>;
  /** Row IDs of the connections whose secrets the delivery was signed with; it is forwarded to no others. */
  readonly only?: readonly number[];
  /**
   * The connection whose registered URL the delivery was sent to: if an event names several connections, only this one gets it.
   */
  readonly registeredFor?: string;
}

export interface StoredEvent {
  readonly type?: string;
  readonly connections: readonly ConnectionKey[];
  readonly payload: Json;
  /** The received JSON of `payload`; undefined if `payload` is not the whole body as received. */
  readonly json?: string | undefined;
}

/** A delivery to store. */
interface ReceivedEvents {
  /** A missing `payload` of an event means the payload of the delivery. */
  readonly events: readonly WebhookEvent[];
  readonly payload: Json;
  /** The received JSON of `payload`, if it was JSON. */
  readonly json: string | undefined;
}

/** A substring by its UTF-16 offsets. */
type Span = readonly [from: number, to: number];

/**
 * The text to store. It contains the received JSON unchanged and only once: parsing it would round numbers. `received` has the
 * position of that JSON within each event, null for an event whose payload the plugin created.
 */
interface StoredText extends Omit<DeliveryContent, 'events'> {
  readonly events: readonly Omit<StoredEvent, 'json'>[];
  readonly received: readonly (Span | null)[];
}

interface StoredDelivery {
  readonly id: number;
  readonly environment_id: number;
  readonly content: Buffer;
}

/** Returns the text to encrypt and store. @throws ServiceError `webhook_invalid_payload` if it is too large */
export function contentText(webhook: ReceivedEvents, rest: Omit<DeliveryContent, 'events'>): string {
  const { events } = webhook;
  if (events.length > MAX_EVENTS) throw tooManyEvents();
  const begin = '{"events":[';
  const texts: string[] = [];
  const received: (Span | null)[] = [];
  let length = 0;
  for (const event of events) {
    const start = begin.length + length + texts.length;
    const { text, span } = eventText(event, webhook);
    length += text.length;
    texts.push(text);
    received.push(span && [start + span[0], start + span[1]]);
    if (texts.length > 1 && length > MAX_CHARACTERS) throw tooManyEvents();
  }
  return `${begin}${texts.join(',')}],${JSON.stringify({ ...rest, received }).slice(1)}`;
}

/** Serializes an event. Refuses one that cannot be serialized: a plugin may return something that is nested too deeply. */
function eventText({ type, connections, payload }: WebhookEvent, webhook: ReceivedEvents): { text: string; span: Span | null } {
  const about = {
    ...(typeof type === 'string' && { type: safeText(type, MAX_TYPE) }),
    connections: connections.slice(0, MAX_KEYS),
  };
  const isReceived = payload === undefined && webhook.json !== undefined;
  try {
    const before = `${JSON.stringify(about).slice(0, -1)},"payload":`;
    const json = isReceived ? webhook.json : (JSON.stringify(payload === undefined ? webhook.payload : payload) ?? 'null');
    return { text: `${before}${json}}`, span: isReceived ? [before.length, before.length + webhook.json.length] : null };
  } catch (cause) {
    throw new ServiceError('webhook_invalid_payload', 'the events of the delivery cannot be serialized', { cause });
  }
}

/** Decrypts the content of a delivery. @throws KeyRingError */
export function readContent(keys: KeyRing, row: StoredDelivery): DeliveryContent {
  const text = keys.decrypt(row.content, contentPlace(row.environment_id, row.id));
  const { events, received, ...rest }: StoredText = parseJson(text);
  const jsonOf = (span: Span | null | undefined) => (span ? text.slice(...span) : undefined);
  return { ...rest, events: events.map((event, at) => ({ ...event, json: jsonOf(received[at]) })) };
}

export function contentPlace(environmentId: number, rowId: number): Place {
  return { table: 'webhook_deliveries', column: 'content', environmentId, rowId };
}

function tooManyEvents(): ServiceError {
  return new ServiceError('webhook_invalid_payload', 'the delivery contains too many events');
}
