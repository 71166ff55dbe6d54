import * as z from 'zod';
import { fromCursor, toCursor } from '../../db/cursor.ts';
import { AUDIT_ACTIONS, type AuditEntry } from '../../journal/audit-trail/entry.ts';
import { auditPage } from '../../journal/audit-trail/trail.ts';
import { memberOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { environmentsOf } from '../../tenants/environments/environment-store.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const PAGE = 50;

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
  tag: 'Account',
  query: z.strictObject({
    action: z.enum(AUDIT_ACTIONS).optional(),
    cursor: z.string().min(1).max(255).optional().meta({ description: '`next_cursor` of the previous page' }),
  }),
  responses: {
    200: {
      description: `Entries, newest first, ${PAGE} per page.`,
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
  async handle({ db }: ApiServices, { caller, query: { action, cursor } }) {
    const { accountId } = memberOf(caller);
    const before = cursor === undefined ? undefined : fromCursor(cursor);
    const { entries, next } = await auditPage(db, { accountId, action }, { before, limit: PAGE });
    const names = new Map((await environmentsOf(db, accountId)).map(({ id, name }) => [id, name]));
    const data = entries.map((one) => record(one, names));
    return { body: { data, next_cursor: next === undefined ? null : toCursor(next) } };
  },
});

export const auditRoutes = [list];

function record(
  { sequence, at, environmentId, actor, action, subject, facts, address }: AuditEntry,
  names: ReadonlyMap<number, string>,
) {
  const environment = environmentId === null ? null : (names.get(environmentId) ?? null);
  return { sequence, at, environment, actor, action, subject, facts, address };
}
