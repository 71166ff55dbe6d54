import * as z from 'zod';
import { jsonObject } from '#contract';
import { ACTOR_KINDS } from '../../journal/audit-trail/entry.ts';
import type { OperationFilter } from '../../journal/operation-log/list-store.ts';
import { operationAt } from '../../journal/operation-log/operation-page.ts';
import { INTEGRATION_KEY, LOG, LOG_CURSOR } from '../examples.ts';
import { connectionId, count, dateTime, listOf, moment, uniqueKey } from '../schemas.ts';

export const TYPES = ['auth', 'refresh', 'proxy', 'webhook', 'script', 'deletion', 'admin'] as const;
const STATUSES = ['success', 'failure', 'retrying', 'cancelled'] as const;
const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 100;

const text = z.string().min(1).max(255);

/** The query parameters that select operations in lists and streams. */
export const logFilter = z.strictObject({
  type: listOf(z.enum(TYPES))
    .optional()
    .meta({ description: `comma-separated: ${TYPES.join(', ')}`, example: 'auth,refresh' }),
  operation: text.optional().meta({
    description:
      'method of a proxied call; `received`, `refused`, `forwarded` or `auth` of a webhook; event of a script; administrative ' +
      'action, e.g. `integration.update`; `creation`, `override`, `verification`, …',
    example: 'creation',
  }),
  status: listOf(z.enum(STATUSES))
    .optional()
    .meta({ description: `comma-separated: ${STATUSES.join(', ')}`, example: 'failure' }),
  integration: listOf(uniqueKey)
    .optional()
    .meta({ description: 'keys of integrations, comma-separated; their former keys are included', example: INTEGRATION_KEY }),
  connection_id: connectionId.optional(),
  actor: z.enum(ACTOR_KINDS).optional().meta({ description: 'who caused the operation', example: 'api_key' }),
  actor_id: text.optional().meta({ description: 'ID of an actor; requires `actor`', example: '12' }),
  http_status: count({ from: 100, to: 999 })
    .optional()
    .meta({ description: 'HTTP status of the other side’s response', example: 404 }),
  error_code: text.optional().meta({ description: 'code of the failure', example: 'invalid_grant' }),
  since: moment.optional().meta({ description: 'operations that began at or after this time', example: '2026-01-15T00:00:00Z' }),
  until: moment.optional().meta({ description: 'operations that began before this time', example: '2026-01-16T00:00:00Z' }),
  search: z.string().min(1).max(255).optional().meta({
    description:
      'ID of an operation, a request or a connection; else beginnings of words in the summary, path, messages, IDs, error code or HTTP status',
    example: 'invalid_grant',
  }),
});

export const needsActor = [
  ({ actor, actor_id: id }: { readonly actor?: unknown; readonly actor_id?: unknown }) => id === undefined || actor !== undefined,
  'actor_id requires actor',
] as const;

export const logPage = {
  limit: count({ from: 1, to: MAX_LIMIT }).default(DEFAULT_LIMIT).meta({ description: 'page size', example: 100 }),
  cursor: z.string().min(1).max(255).optional().meta({ description: '`next_cursor` of the previous page', example: LOG_CURSOR }),
};

/** An operation in lists. */
export const listedLog = z
  .strictObject({
    id: z.uuid(),
    type: z.string(),
    operation: z.string(),
    status: z.string().describe(STATUSES.map((status) => `\`${status}\``).join(', ')),
    created_at: dateTime,
    ended_at: dateTime.nullable(),
    duration_ms: z.int().nullable(),
    connection_id: z.string().nullable(),
    provider_config_key: z.string().nullable(),
    summary: z.string().describe('one-line summary'),
    http_status: z.int().nullable().describe('HTTP status of the other side’s response'),
    error_code: z.string().nullable(),
    actor: z
      .strictObject({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() })
      .describe('who caused the operation'),
    request_id: z.string().nullable().describe('`Svc-Request-Id` of the request in which it began; null: it began in none'),
  })
  .meta({ id: 'LogEntry' });

export const fullLog = listedLog
  .extend({
    messages: z.array(
      z.strictObject({ at: dateTime, level: z.string(), message: z.string(), facts: jsonObject }).meta({ id: 'LogMessage' }),
    ),
  })
  .meta({ id: 'LogEntryDetails' });

export const LISTED_LOG = (({ messages: _, ...listed }) => listed)(LOG);

export function filterOf(query: z.output<typeof logFilter>): OperationFilter {
  const { type, operation, status, integration, actor, actor_id: actorId, since, until, search } = query;
  return {
    types: type,
    operation,
    statuses: status,
    integrations: integration,
    connectionId: query.connection_id,
    actor: actor && { kind: actor, id: actorId },
    httpStatus: query.http_status,
    errorCode: query.error_code,
    since,
    until,
    search,
  };
}

/**
 * Converts the query parameters of a page to the range that the store expects.
 *
 * @throws ServiceError `invalid_query_params` if the cursor is invalid
 */
export function rangeOf({ limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined }) {
  return { limit, before: cursor === undefined ? undefined : operationAt(cursor) };
}
