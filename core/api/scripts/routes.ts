import * as z from 'zod';
import { anyJson } from '#contract';
import { withTransaction } from '../../db/transaction.ts';
import { recordAudit } from '../../journal/audit-trail/record.ts';
import { LANGUAGES, SCRIPT_EVENTS } from '../../scripts/event.ts';
import type { ScriptRunRow } from '../../scripts/script-rows.ts';
import type { ScriptState } from '../../scripts/script-store.ts';
import { changeScript, deployScript, listRuns, listScripts, removeScript } from '../../scripts/scripts.ts';
import { environmentOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { auditContext } from '../audit-context.ts';
import { SCRIPT, SCRIPT_EVENT, SCRIPT_RUN, SCRIPT_SOURCE } from '../examples.ts';
import { byKey } from '../integrations/integration-schemas.ts';
import { connectionId, dateTime, uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const TAG = 'Scripts';

/** Maximum size of a request body: a source has at most 256 KB, and can be six times as long in JSON. */
const SCRIPT_BODY_BYTES = 2 * 1024 * 1024;

const event = z.enum(SCRIPT_EVENTS);

const path = z.strictObject({
  uniqueKey,
  event: event.meta({ description: 'the event that triggers the script', example: SCRIPT_EVENT }),
});

const deployBody = z
  .strictObject({
    source: z.string().min(1).meta({ description: 'an ES module without imports, at most 256 KB' }),
    language: z.enum(LANGUAGES),
  })
  .meta({ id: 'ScriptSource' });

const changeBody = z
  .strictObject({
    enabled: z.boolean().optional(),
    version: z
      .int()
      .min(1)
      .max(2 ** 31 - 1)
      .optional()
      .meta({ description: 'the version to activate, e.g. an earlier one' }),
  })
  .meta({ id: 'ScriptChanges' });

const record = z
  .strictObject({
    event,
    version: z.int().describe('active version'),
    enabled: z.boolean(),
    created_at: dateTime.describe('when the active version was created'),
  })
  .meta({ id: 'Script' });

export const runRecord = z
  .strictObject({
    id: z.string(),
    version: z.int(),
    connection_id: z.string().nullable().describe('null: there was no connection yet'),
    status: z.enum(['done', 'failed', 'killed']),
    started_at: dateTime,
    duration_ms: z.int(),
    memory_mb: z.number().describe('growth of the process’s memory'),
    cause: z
      .string()
      .nullable()
      .describe('why the run did not complete; `refused`: a `validate-connection` script threw a `ScriptError`'),
    log: z.array(
      z.strictObject({
        at: z.number().describe('milliseconds since the start of the run'),
        level: z.enum(['debug', 'info', 'warn', 'error']),
        message: z.string(),
        facts: anyJson.optional(),
      }),
    ),
  })
  .meta({ id: 'ScriptRun' });

const WRITE = { scope: 'environment:scripts:write', inDashboard: true } as const;

const list = defineRoute({
  method: 'GET',
  path: '/integrations/:uniqueKey/scripts',
  operationId: 'listScripts',
  access: { scope: 'environment:scripts:list', inDashboard: true },
  summary: 'List the scripts of an integration',
  tag: TAG,
  params: byKey,
  responses: {
    200: { description: 'All scripts.', schema: z.strictObject({ data: z.array(record) }), example: { data: [SCRIPT] } },
    404: { description: 'There is no such integration.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    const scripts = await listScripts(services.db, { environmentId: environmentOf(caller), ...params });
    return { body: { data: scripts.map(shownScript) } };
  },
});

const deploy = defineRoute({
  method: 'PUT',
  path: '/integrations/:uniqueKey/scripts/:event',
  operationId: 'deployScript',
  access: WRITE,
  summary: 'Deploy a script; a changed source becomes a new version',
  tag: TAG,
  params: path,
  body: deployBody,
  bodyExample: { source: SCRIPT_SOURCE, language: 'typescript' },
  maxBodyBytes: SCRIPT_BODY_BYTES,
  responses: {
    200: {
      description: 'The script is active, unless it is disabled.',
      schema: z.strictObject({ data: record }),
      example: { data: SCRIPT },
    },
    400: { description: 'The source does not compile; the message states the position.' },
    404: { description: 'There is no such integration.' },
  },
  async handle(services: ApiServices, { params: { uniqueKey, event }, body, ...by }) {
    const address = { environmentId: environmentOf(by.caller), uniqueKey, audit: auditContext(by) };
    const state = await deployScript(services, address, { event, ...body });
    return { body: { data: shownScript(state) } };
  },
});

const change = defineRoute({
  method: 'PATCH',
  path: '/integrations/:uniqueKey/scripts/:event',
  operationId: 'updateScript',
  access: WRITE,
  summary: 'Enable or disable a script, or roll it back',
  tag: TAG,
  params: path,
  body: changeBody,
  bodyExample: { enabled: true, version: 1 },
  responses: {
    200: {
      description: 'The updated script.',
      schema: z.strictObject({ data: record }),
      example: { data: { ...SCRIPT, version: 1 } },
    },
    400: { description: 'There is no such version.' },
    404: { description: 'There is no such integration or script.' },
  },
  async handle(services: ApiServices, { params, body, ...by }) {
    const state = await withTransaction(services.db, async (trx) => {
      const here = { ...services, db: trx };
      const changed = await changeScript(here, { environmentId: environmentOf(by.caller), ...params }, body);
      const facts = { integration: params.uniqueKey, ...body };
      const subject = { type: 'script', id: params.event } as const;
      await recordAudit(here, { ...auditContext(by), action: 'script.update', subject, facts });
      return changed;
    });
    return { body: { data: shownScript(state) } };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/integrations/:uniqueKey/scripts/:event',
  operationId: 'deleteScript',
  access: WRITE,
  summary: 'Delete a script with its versions and runs',
  tag: TAG,
  params: path,
  responses: {
    204: { description: 'Deleted.' },
    404: { description: 'There is no such integration or script.' },
  },
  async handle(services: ApiServices, { params: { uniqueKey, event }, ...by }) {
    await withTransaction(services.db, async (trx) => {
      await removeScript(trx, { environmentId: environmentOf(by.caller), uniqueKey }, event);
      const entry = { action: 'script.delete', subject: { type: 'script', id: event } } as const;
      await recordAudit({ ...services, db: trx }, { ...auditContext(by), ...entry, facts: { integration: uniqueKey } });
    });
    return {};
  },
});

const runs = defineRoute({
  method: 'GET',
  path: '/integrations/:uniqueKey/scripts/:event/runs',
  operationId: 'listScriptRuns',
  access: { scope: 'environment:scripts:read' },
  summary: 'List the latest runs of a script, newest first',
  tag: TAG,
  params: path,
  query: z.strictObject({ connection_id: connectionId.optional().describe('only runs for this connection') }),
  responses: {
    200: {
      description: 'At most 100 runs, within the retention of the operation log.',
      schema: z.strictObject({ data: z.array(runRecord) }),
      example: { data: [SCRIPT_RUN] },
    },
    404: { description: 'There is no such integration or script.' },
  },
  async handle(services: ApiServices, { caller, params: { uniqueKey, event }, query }) {
    const address = { environmentId: environmentOf(caller), uniqueKey };
    const found = await listRuns(services.db, address, { event, connectionId: query.connection_id });
    return { body: { data: found.map(shownRun) } };
  },
});

export const scriptRoutes = [list, deploy, change, remove, runs];

export function shownRun({ id, version, connection_id, status, started_at, duration_ms, memory_mb, cause, log }: ScriptRunRow) {
  return { id, version, connection_id, status, started_at: started_at.toISOString(), duration_ms, memory_mb, cause, log };
}

function shownScript({ event, version, enabled, createdAt }: ScriptState) {
  return { event, version, enabled, created_at: createdAt.toISOString() };
}
