import type { Knex } from 'knex';
import type { KeyRing } from '../kit/key-ring.ts';
import { readContent } from './content.ts';
import {
  attemptsOf,
  type ListedMessageRow,
  listMessages,
  type MessageFilter,
  type MessagePosition,
  messageById,
  type ReadAttemptRow,
} from './message-list-store.ts';
import { withPayload } from './payload.ts';
import { unknownMessage } from './replay.ts';

/** Maximum number of attempts to return. A schedule has ten; more come from replays. */
const MAX_ATTEMPTS = 100;

interface MessageDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
}

interface MessagePage {
  readonly rows: readonly ListedMessageRow[];
  /** The ID of the last row if more follow, else null. */
  readonly next: number | null;
}

/** Returns one page of an environment's webhooks, newest first. */
export async function messagePage(db: Knex, environmentId: number, query: MessageFilter & MessagePosition): Promise<MessagePage> {
  const found = await listMessages(db, environmentId, { ...query, limit: query.limit + 1 });
  const rows = found.slice(0, query.limit);
  return { rows, next: found.length > rows.length ? (rows.at(-1)?.id ?? null) : null };
}

/**
 * Returns a webhook with its body and latest attempts, in the form of the API.
 *
 * @returns JSON with the unmodified body: parsing it would round its numbers
 * @throws ServiceError `not_found`
 */
export async function readMessage(deps: MessageDeps, environmentId: number, messageId: string): Promise<string> {
  const { record, payload } = await openMessage(deps, environmentId, messageId);
  return withPayload(JSON.stringify(record), payload);
}

/** Returns a webhook in two parts: its record, and its payload as JSON. @throws ServiceError `not_found` */
export async function openMessage({ db, keys }: MessageDeps, environmentId: number, messageId: string) {
  const row = await messageById(db, environmentId, messageId);
  if (row === undefined) throw unknownMessage();
  const attempts = await attemptsOf(db, row.id, MAX_ATTEMPTS);
  const record = { ...listedMessage(row), attempts: attempts.map(attemptRecord) };
  return { record, payload: readContent(keys, row).body };
}

/** Returns a webhook in the form of the API, without its content. */
export function listedMessage(row: ListedMessageRow) {
  return {
    id: row.message_id,
    type: row.type,
    operation: row.operation,
    success: row.success,
    connection_id: row.connection_id,
    provider_config_key: row.provider_config_key,
    status: row.status,
    created_at: row.created_at.toISOString(),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  };
}

function attemptRecord({ at, url, status, duration_ms, error, is_replay }: ReadAttemptRow) {
  return { at: at.toISOString(), url, status, duration_ms, error, is_replay };
}
