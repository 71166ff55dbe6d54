import type { KeyRing, Place } from '../kit/key-ring.ts';

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

/** @throws KeyRingError */
export function readContent(keys: KeyRing, row: StoredContent): MessageContent {
  const { body, headers }: MessageContent = JSON.parse(keys.decrypt(row.content, contentPlace(row.environment_id, row.id)));
  return { body, headers };
}

export function contentPlace(environmentId: number, rowId: number): Place {
  return { table: 'webhook_messages', column: 'content', environmentId, rowId };
}
