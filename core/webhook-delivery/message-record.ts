import type { ListedMessageRow, ReadAttemptRow } from './message-list-store.ts';

/** A message as in the API, without its content. */
export function listedMessage(row: ListedMessageRow) {
  return {
    id: row.message_id,
    type: row.type,
    operation: row.operation,
    connection_id: row.connection_id,
    provider_config_key: row.provider_config_key,
    status: row.status,
    created_at: row.created_at.toISOString(),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  };
}

export function attemptRecord({ at, url, status, duration_ms, error, is_replay }: ReadAttemptRow) {
  return { at: at.toISOString(), url, status, duration_ms, error, is_replay };
}
