import type { Knex } from 'knex';
import { timeOfId } from '../../kit/random-id.ts';
import { type ListedOperation, SHOWN } from './activity-store.ts';
import type { OperationLogRow } from './operation-log-row.ts';
import { actorTerm, errorCodeTerm, httpStatusTerm, queryFor, queryForTerm, UUID } from './terms.ts';

/** Selects operations of an environment; an operation must match all properties that are present. */
export interface OperationFilter {
  readonly types?: readonly string[] | undefined;
  readonly operation?: string | undefined;
  readonly statuses?: readonly string[] | undefined;
  /** Keys of integrations. */
  readonly integrations?: readonly string[] | undefined;
  readonly connectionId?: string | undefined;
  readonly actor?: { readonly kind: string; readonly id?: string | undefined } | undefined;
  readonly httpStatus?: number | undefined;
  readonly errorCode?: string | undefined;
  /** The operation began at or after this time. */
  readonly since?: Date | undefined;
  /** The operation began before this time. */
  readonly until?: Date | undefined;
  /** The beginnings of words, or the ID of an operation, a request or a connection. */
  readonly search?: string | undefined;
}

export interface OperationRange {
  readonly limit: number;
  /** ID of an operation: only older ones are returned. */
  readonly before?: string | undefined;
}

/** Returns operations of one environment without their messages, newest first. */
export function listOperations(
  db: Knex,
  environmentId: number,
  { limit, before, ...filter }: OperationFilter & OperationRange,
): Promise<ListedOperation[]> {
  const query = matching(db<OperationLogRow>('operation_log').where({ environment_id: environmentId }), filter);
  const beforeTime = before === undefined ? undefined : timeOfId(before);
  if (before !== undefined && beforeTime !== undefined) {
    // Redundant, but only by this first condition can the database leave out partitions.
    query.where('created_at', '<=', beforeTime).whereRaw('(created_at, id) < (?::timestamptz, ?::uuid)', [beforeTime, before]);
  }
  return query
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit)
    .select(SHOWN);
}

/**
 * Adds the conditions of a filter to a query that already selects an environment. Each condition has an index, or narrows the
 * result of one that has.
 */
export function matching(query: Knex.QueryBuilder<OperationLogRow>, filter: OperationFilter) {
  const { types, operation, statuses, integrations, connectionId, actor, httpStatus, errorCode, since, until } = filter;
  if (types !== undefined) query.whereIn('type', types);
  if (operation !== undefined) query.where({ operation });
  if (statuses !== undefined) query.whereIn('status', statuses);
  // Repeats the condition of the partial index, so that the index is used.
  if (statuses !== undefined && !statuses.includes('success')) query.where('status', '<>', 'success');
  if (integrations !== undefined) query.whereIn('provider_config_key', integrations);
  if (connectionId !== undefined) query.where({ connection_id: connectionId });
  if (actor !== undefined) query.where({ actor_kind: actor.kind });
  if (actor?.id !== undefined) query.where({ actor_id: actor.id });
  if (httpStatus !== undefined) query.where({ http_status: httpStatus });
  if (errorCode !== undefined) query.where({ error_code: errorCode });
  if (since !== undefined) query.where('created_at', '>=', since);
  if (until !== undefined) query.where('created_at', '<', until);
  for (const terms of termQueries(filter)) query.whereRaw('terms @@ ?::tsquery', [terms]);
  return searched(query, filter.search);
}

/** Returns `tsquery` texts for the values of a filter that are rare and have no separate index: the index of words finds them. */
function termQueries({ actor, httpStatus, errorCode }: OperationFilter): readonly string[] {
  return [
    ...(actor?.id === undefined ? [] : [queryForTerm(actorTerm(actor.kind, actor.id))]),
    ...(httpStatus === undefined ? [] : [queryForTerm(httpStatusTerm(httpStatus))]),
    ...(errorCode === undefined ? [] : [queryForTerm(errorCodeTerm(errorCode))]),
  ];
}

function searched(query: Knex.QueryBuilder<OperationLogRow>, search: string | undefined) {
  if (search === undefined) return query;
  const createdAt = timeOfId(search);
  if (createdAt !== undefined) {
    return query.where((either) => either.where({ created_at: createdAt, id: search }).orWhere({ request_id: search }));
  }
  if (UUID.test(search)) return query.where({ connection_id: search });
  const words = queryFor(search);
  // The text consists of punctuation only, so nothing can match.
  return words === undefined ? query.whereRaw('false') : query.whereRaw('terms @@ ?::tsquery', [words]);
}
