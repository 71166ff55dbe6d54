import { parseJson } from '../kit/exact-json.ts';
import type { KeyRing, Place } from '../kit/key-ring.ts';
import { openPayload, type PayloadReference, type SharedPayload, withPayload } from './payload.ts';

/** The secret parts of a webhook. */
interface MessageContent {
  /** The text that is sent and signed. */
  readonly body: string;
  /** Sent in addition to the service's own headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The content as it is stored, encrypted: the whole body, or the body without its payload and a reference to the payload. */
type StoredContent = Pick<MessageContent, 'headers'> & (Whole | Referring);

interface Whole {
  readonly body: string;
}

interface Referring {
  readonly head: string;
  /**
   * Row ID of the payload. It is read from here, since encrypted content cannot be tampered with; the column `payload_id` is only
   * for queries.
   */
  readonly payload: PayloadReference['id'];
}

interface ContentRow {
  readonly id: number;
  readonly environment_id: number;
  readonly content: Buffer;
  /** The content of the payload's row; null if the webhook refers to none. */
  readonly payload: Buffer | null;
}

/**
 * Returns the content before encryption, including a payload that was not stored.
 *
 * @param head JSON of the body without the payload
 */
export function contentText(head: string, { payload, headers = {} }: PlainContent): string {
  return JSON.stringify({ ...bodyOrHead(head, payload), headers } satisfies StoredContent);
}

function bodyOrHead(head: string, payload: SharedPayload | undefined): Whole | Referring {
  if (payload === undefined) return { body: head };
  const { reference, text } = payload;
  return reference === undefined ? { body: withPayload(head, text) } : { head, payload: reference.id };
}

interface PlainContent {
  readonly payload?: SharedPayload | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Decrypts the content of a webhook. @throws KeyRingError; Error if the payload is missing */
export function readContent(keys: KeyRing, row: ContentRow): MessageContent {
  const stored: StoredContent = parseJson(keys.decrypt(row.content, contentPlace(row.environment_id, row.id)));
  const { headers } = stored;
  if ('body' in stored) return { body: stored.body, headers };
  if (row.payload === null) throw new Error('the database has no payload for a webhook that needs one');
  const payload = openPayload(keys, { id: stored.payload, environment_id: row.environment_id, content: row.payload });
  return { body: withPayload(stored.head, payload), headers };
}

export function contentPlace(environmentId: number, rowId: number): Place {
  return { table: 'webhook_messages', column: 'content', environmentId, rowId };
}
