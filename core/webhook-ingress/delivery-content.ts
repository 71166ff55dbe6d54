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
  /** Of `payload`, as it was received; undefined where it is not the whole body, or the release before this one stored it. */
  readonly json?: string | undefined;
}

/** What is written down of a delivery. */
interface ReceivedWebhook {
  /** Without a `payload`: the delivery's. */
  readonly events: readonly WebhookEvent[];
  readonly payload: Json;
  /** Of `payload`, as it was received, where it was JSON. */
  readonly json: string | undefined;
}

/** Where a text begins and ends within another, counted as JavaScript counts. */
type Span = readonly [from: number, to: number];

/**
 * The received JSON stands in the stored text as it came, so it is there once; to parse it would round numbers. `received` says
 * for each event where, null where the plugin made the payload. The release before this one takes no notice of it.
 */
interface StoredText extends Omit<DeliveryContent, 'events'> {
  readonly events: readonly Omit<StoredEvent, 'json'>[];
  readonly received?: readonly (Span | null)[];
}

interface StoredDelivery {
  readonly id: number;
  readonly environment_id: number;
  readonly content: Buffer;
}

/** As it is stored, before encryption. @throws ServiceError `webhook_invalid_payload` where it became too large */
export function contentText(webhook: ReceivedWebhook, rest: Omit<DeliveryContent, 'events'>): string {
  const { events } = webhook;
  if (events.length > MAX_EVENTS) throw tooMuch();
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
    if (texts.length > 1 && length > MAX_CHARACTERS) throw tooMuch();
  }
  return `${begin}${texts.join(',')}],${JSON.stringify({ ...rest, received }).slice(1)}`;
}

/** A plugin may have unpacked something that is nested deeper than it can be written again. */
function eventText({ type, connections, payload }: WebhookEvent, webhook: ReceivedWebhook): { text: string; span: Span | null } {
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
    throw new ServiceError('webhook_invalid_payload', 'the delivery cannot be written down again', { cause });
  }
}

/** @throws KeyRingError */
export function readContent(keys: KeyRing, row: StoredDelivery): DeliveryContent {
  const text = keys.decrypt(row.content, contentPlace(row.environment_id, row.id));
  const { events, received, ...rest }: StoredText = JSON.parse(text);
  const jsonOf = (span: Span | null | undefined) => (span ? text.slice(...span) : undefined);
  return { ...rest, events: events.map((event, at) => ({ ...event, json: jsonOf(received?.[at]) })) };
}

export function contentPlace(environmentId: number, rowId: number): Place {
  return { table: 'webhook_deliveries', column: 'content', environmentId, rowId };
}

function tooMuch(): ServiceError {
  return new ServiceError('webhook_invalid_payload', 'the delivery holds too many events');
}
