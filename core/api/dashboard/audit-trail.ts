import * as z from 'zod';
import { fromCursor, toCursor } from '../../db/cursor.ts';
import type { AuditFilter } from '../../journal/audit-trail/audit-store.ts';
import { ACTOR_KINDS, AUDIT_ACTIONS, type AuditEntry } from '../../journal/audit-trail/entry.ts';
import { auditPage } from '../../journal/audit-trail/trail.ts';
import { memberOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { type Environment, environmentsOf } from '../../tenants/environments/environment-store.ts';
import { needsActor } from '../logs/log-schemas.ts';
import { count, dateTime, moment } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { recordedChange } from './recorded-change.ts';

const TAG = 'Account';
const PAGE = 50;
const MAX_PAGE = 500;

const text = z.string().min(1).max(255);

/** The members of a query or a body that select entries. */
const filter = z.strictObject({
  action: z.enum(AUDIT_ACTIONS).optional(),
  actor: z.enum(ACTOR_KINDS).optional().meta({ description: 'kind of the actor' }),
  actor_id: text.optional().meta({ description: 'ID of an actor; requires `actor`' }),
  environment: text.optional().meta({ description: 'name of an environment that exists' }),
  since: moment.optional().meta({ description: 'entries that were recorded at or after this time' }),
  until: moment.optional().meta({ description: 'entries that were recorded before this time' }),
});

const entry = z.strictObject({
  sequence: z.int().describe('number among all entries of the installation'),
  at: dateTime,
  environment: z.string().nullable().describe('null: no environment, or one that has since been deleted'),
  actor: z.strictObject({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
  action: z.string(),
  subject: z.strictObject({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
  facts: z.record(z.string(), z.unknown()),
  address: z.string().nullable().describe('address of the client; null: the service’s own machine'),
});

const list = defineRoute({
  method: 'GET',
  path: '/api/ui/account/audit',
  operationId: 'listAuditEntries',
  access: { dashboard: 'administer' },
  summary: 'List the audit trail: who changed, revealed, exported or deleted what',
  tag: TAG,
  query: filter
    .extend({
      limit: count({ from: 1, to: MAX_PAGE }).default(PAGE).meta({ description: 'page size' }),
      cursor: text.optional().meta({ description: '`next_cursor` of the previous page' }),
    })
    .refine(...needsActor),
  responses: {
    200: {
      description: 'Entries, newest first.',
      schema: z.strictObject({ data: z.array(entry), next_cursor: z.string().nullable() }),
      example: {
        data: [
          {
            sequence: 12,
            at: '2026-01-15T09:00:00.000Z',
            environment: 'dev',
            actor: { kind: 'member', id: '1', name: 'ada@acme.example' },
            action: 'connection.reveal',
            subject: { type: 'connection', id: '3f0c1d2e', name: null },
            facts: { integration: 'jira' },
            address: '192.0.2.1',
          },
        ],
        next_cursor: null,
      },
    },
  },
  async handle({ db }: ApiServices, { caller, query: { limit, cursor, ...wanted } }) {
    const { accountId } = memberOf(caller);
    const environments = await environmentsOf(db, accountId);
    const selected = filterOf(accountId, wanted, environments);
    const before = cursor === undefined ? undefined : fromCursor(cursor);
    const none = { entries: [], next: undefined };
    const { entries, next } = selected === undefined ? none : await auditPage(db, selected, { before, limit });
    const names = new Map(environments.map(({ id, name }) => [id, name]));
    const data = entries.map((one) => record(one, names));
    return { body: { data, next_cursor: next === undefined ? null : toCursor(next) } };
  },
});

const recordExport = defineRoute({
  method: 'POST',
  path: '/api/ui/account/audit/exports',
  operationId: 'recordAuditExport',
  access: { dashboard: 'administer' },
  summary: 'Record that the entries which a filter selects are exported; they are then read page by page',
  tag: TAG,
  body: filter.refine(...needsActor),
  bodyExample: { action: 'connection.reveal', since: '2026-01-01T00:00:00Z' },
  responses: { 204: { description: 'Recorded in the audit trail.' } },
  async handle(services: ApiServices, { body, ...by }) {
    await recordedChange(services, by, (_, record) =>
      record({ action: 'audit.export', subject: { type: 'audit_trail' }, facts: body }),
    );
    return { status: 204 };
  },
});

export const auditRoutes = [list, recordExport];

/** Returns what selects the entries in the store; undefined if there is no environment of the given name. */
function filterOf(
  accountId: number,
  { environment, actor, actor_id: actorId, ...rest }: z.output<typeof filter>,
  environments: readonly Environment[],
): AuditFilter | undefined {
  const selected = { accountId, actorKind: actor, actorId, ...rest };
  if (environment === undefined) return selected;
  const found = environments.find(({ name }) => name === environment);
  return found && { ...selected, environmentId: found.id };
}

function record(
  { sequence, at, environmentId, actor, action, subject, facts, address }: AuditEntry,
  names: ReadonlyMap<number, string>,
) {
  const environment = environmentId === null ? null : (names.get(environmentId) ?? null);
  return { sequence, at, environment, actor, action, subject, facts, address };
}
