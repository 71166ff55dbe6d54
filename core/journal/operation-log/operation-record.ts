import type { ListedOperation, ShownOperation } from './activity-store.ts';

/** Returns an operation as the API lists it, without its messages. */
export function listedOperation(row: ListedOperation) {
  const { actor_kind: kind, actor_id: id, actor_name: name } = row;
  return {
    id: row.id,
    type: row.type,
    operation: row.operation,
    status: row.status,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    duration_ms: row.ended_at === null ? null : Math.max(0, row.ended_at.getTime() - row.created_at.getTime()),
    connection_id: row.connection_id,
    provider_config_key: row.provider_config_key,
    summary: row.summary,
    http_status: row.http_status,
    error_code: row.error_code,
    actor: { kind, id, name },
    request_id: row.request_id,
  };
}

/** Returns an operation with its messages, the earliest first. */
export function shownOperation(row: ShownOperation) {
  return { ...listedOperation(row), messages: row.messages };
}
