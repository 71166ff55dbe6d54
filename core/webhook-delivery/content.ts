import type { KeyRing, Place } from '../kit/key-ring.ts';

const END_OF_HEADERS = '\n';

/** What of a message is stored encrypted. */
export interface MessageContent {
  /** The very text that is sent and signed. */
  readonly body: string;
  /** Beside our own. */
  readonly headers: Readonly<Record<string, string>>;
}

interface StoredContent {
  readonly id: number;
  readonly environment_id: number;
  readonly content: Buffer;
}

/** As it is stored, before encryption: the headers on a line of their own, so that a large body need not be quoted. */
export function contentText({ body, headers }: MessageContent): string {
  return JSON.stringify(headers) + END_OF_HEADERS + body;
}

/** @throws KeyRingError */
export function readContent(keys: KeyRing, row: StoredContent): MessageContent {
  const text = keys.decrypt(row.content, contentPlace(row.environment_id, row.id));
  const end = text.indexOf(END_OF_HEADERS);
  // Until 2026-11 both were members of one object, which has no line break.
  if (end === -1) return JSON.parse(text);
  return { headers: JSON.parse(text.slice(0, end)), body: text.slice(end + 1) };
}

export function contentPlace(environmentId: number, rowId: number): Place {
  return { table: 'webhook_messages', column: 'content', environmentId, rowId };
}
