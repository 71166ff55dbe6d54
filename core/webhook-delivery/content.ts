import { parseJson } from '../kit/exact-json.ts';
import type { KeyRing, Place } from '../kit/key-ring.ts';
import { openPayload, type PayloadReference, type SharedPayload, withPayload } from './payload.ts';

/** The secret parts of a message. */
export interface MessageContent {
  /** The text that is sent and signed. */
  readonly body: string;
  /** In addition to our own. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Stored encrypted: the body, or the body without its payload and a reference to that. */
type StoredContent = Pick<MessageContent, 'headers'> & (Whole | Referring);

interface Whole {
  readonly body: string;
}

interface Referring {
  readonly head: string;
  /** Row ID. Read from the encrypted content, which cannot be tampered with; the column is for the database. */
  readonly payload: PayloadReference['id'];
}

interface ContentRow {
  readonly id: number;
  readonly environment_id: number;
  readonly content: Buffer;
  /** Of the payload's row; null if the message refers to none. */
  readonly payload: Buffer | null;
}

/** The content before encryption, including a payload that was not stored. @param head JSON of the body without the payload */
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

/** @throws KeyRingError; Error if the payload is missing */
export function readContent(keys: KeyRing, row: ContentRow): MessageContent {
  const stored: StoredContent = parseJson(keys.decrypt(row.content, contentPlace(row.environment_id, row.id)));
  const { headers } = stored;
  if ('body' in stored) return { body: stored.body, headers };
  if (row.payload === null) throw new Error('the payload of a webhook message is missing');
  const payload = openPayload(keys, { id: stored.payload, environment_id: row.environment_id, content: row.payload });
  return { body: withPayload(stored.head, payload), headers };
}

export function contentPlace(environmentId: number, rowId: number): Place {
  return { table: 'webhook_messages', column: 'content', environmentId, rowId };
}
