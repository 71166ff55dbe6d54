import * as z from 'zod';
import type { ScriptRunRow } from '../db/script-rows.ts';
import { environmentOf } from '../http/caller.ts';
import { defineRoute } from '../http/route.ts';
import { changeScript, deployScript, listRuns, listScripts, removeScript } from '../scripts/scripts.ts';
import { SCRIPT, SCRIPT_RUN, SCRIPT_SOURCE } from './examples.ts';
import { byKey } from './integration-schemas.ts';
import {
  changeBody,
  deployBody,
  scriptRun as runSchema,
  SCRIPT_BODY_BYTES,
  SCRIPTS,
  scriptPath,
  scriptRecord,
  script as scriptSchema,
} from './script-schemas.ts';
import type { ApiServices } from './services.ts';

const WRITE = { scope: 'environment:scripts:write' } as const;

const list = defineRoute({
  method: 'GET',
  path: '/integrations/:uniqueKey/scripts',
  operationId: 'listScripts',
  access: { scope: 'environment:scripts:list' },
  summary: 'List the scripts of an integration',
  tag: SCRIPTS,
  params: byKey,
  responses: {
    200: { description: 'All of them.', schema: z.strictObject({ data: z.array(scriptSchema) }), example: { data: [SCRIPT] } },
    404: { description: 'There is no such integration.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    const scripts = await listScripts(services.db, { environmentId: environmentOf(caller), ...params });
    return { body: { data: scripts.map(scriptRecord) } };
  },
});

const deploy = defineRoute({
  method: 'PUT',
  path: '/integrations/:uniqueKey/scripts/:event',
  operationId: 'deployScript',
  access: WRITE,
  summary: 'Deploy a script; a source that changed becomes a new version',
  tag: SCRIPTS,
  params: scriptPath,
  body: deployBody,
  bodyExample: { source: SCRIPT_SOURCE, language: 'typescript' },
  maxBodyBytes: SCRIPT_BODY_BYTES,
  responses: {
    200: {
      description: 'It is run from now on, unless the script is disabled.',
      schema: z.strictObject({ data: scriptSchema }),
      example: { data: SCRIPT },
    },
    400: { description: 'It does not compile; the message says where.' },
    404: { description: 'There is no such integration.' },
  },
  async handle(services: ApiServices, { caller, params: { uniqueKey, event }, body }) {
    const state = await deployScript(services, { environmentId: environmentOf(caller), uniqueKey }, { event, ...body });
    return { body: { data: scriptRecord(state) } };
  },
});

const change = defineRoute({
  method: 'PATCH',
  path: '/integrations/:uniqueKey/scripts/:event',
  operationId: 'updateScript',
  access: WRITE,
  summary: 'Enable or disable a script, or roll it back',
  tag: SCRIPTS,
  params: scriptPath,
  body: changeBody,
  bodyExample: { enabled: true, version: 1 },
  responses: {
    200: {
      description: 'The script as it is now.',
      schema: z.strictObject({ data: scriptSchema }),
      example: { data: { ...SCRIPT, version: 1 } },
    },
    400: { description: 'There is no such version.' },
    404: { description: 'There is no such integration or script.' },
  },
  async handle(services: ApiServices, { caller, params, body }) {
    const state = await changeScript(services, { environmentId: environmentOf(caller), ...params }, body);
    return { body: { data: scriptRecord(state) } };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/integrations/:uniqueKey/scripts/:event',
  operationId: 'deleteScript',
  access: WRITE,
  summary: 'Delete a script with its versions and runs',
  tag: SCRIPTS,
  params: scriptPath,
  responses: {
    204: { description: 'It is gone.' },
    404: { description: 'There is no such integration or script.' },
  },
  async handle(services: ApiServices, { caller, params: { uniqueKey, event } }) {
    await removeScript(services.db, { environmentId: environmentOf(caller), uniqueKey }, event);
    return {};
  },
});

const runs = defineRoute({
  method: 'GET',
  path: '/integrations/:uniqueKey/scripts/:event/runs',
  operationId: 'listScriptRuns',
  access: { scope: 'environment:scripts:read' },
  summary: 'List the latest runs of a script, newest first',
  tag: SCRIPTS,
  params: scriptPath,
  responses: {
    200: {
      description: 'At most 100, as long as the operation log is kept.',
      schema: z.strictObject({ data: z.array(runSchema) }),
      example: { data: [SCRIPT_RUN] },
    },
    404: { description: 'There is no such integration or script.' },
  },
  async handle(services: ApiServices, { caller, params: { uniqueKey, event } }) {
    const found = await listRuns(services.db, { environmentId: environmentOf(caller), uniqueKey }, event);
    return { body: { data: found.map(runRecord) } };
  },
});

export const scriptRoutes = [list, deploy, change, remove, runs];

function runRecord({ id, version, connection_id, status, started_at, duration_ms, memory_mb, cause, log }: ScriptRunRow) {
  return { id, version, connection_id, status, started_at: started_at.toISOString(), duration_ms, memory_mb, cause, log };
}
