import * as z from 'zod';
import { fromCursor, toCursor } from '../../db/cursor.ts';
import { ServiceError } from '../../errors.ts';
import { LANGUAGES, SCRIPT_EVENTS } from '../../scripts/event.ts';
import {
  dueRunsOf,
  type OverviewScript,
  scriptPage,
  sourceOf,
  type VersionFacts,
  versionsOf,
} from '../../scripts/overview-store.ts';
import { requireScriptPlace } from '../../scripts/scripts.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { INTEGRATION, INTEGRATION_KEY, SCRIPT, SCRIPT_EVENT, SCRIPT_SOURCE } from '../examples.ts';
import { byKey } from '../integrations/integration-schemas.ts';
import { dateTime, rowIdInPath } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const TAG = 'Scripts';
const PAGE = 50;
/** Maximum number of waiting runs that are counted. */
const MAX_WAITING = 1_000;
const DAY_MS = 86_400_000;

const event = z.enum(SCRIPT_EVENTS);
export const ofScript = byKey.extend({ event: event.meta({ description: 'event of the script', example: SCRIPT_EVENT }) });
export const NO_SCRIPT = { description: 'There is no such integration or script.' };

const row = z.strictObject({
  unique_key: z.string().describe('key of the integration'),
  display_name: z.string().describe('display name of the integration'),
  event,
  version: z.int().describe('active version'),
  enabled: z.boolean(),
  last_run_at: dateTime.nullable(),
  failures: z.int().describe('runs of the last 24 hours that failed or were killed, without refused connections'),
});

const version = z.strictObject({ version: z.int(), language: z.enum(LANGUAGES), created_at: dateTime });
const VERSION = { version: SCRIPT.version, language: 'typescript', created_at: SCRIPT.created_at };

const overview = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/scripts',
  operationId: 'getScriptsOverview',
  access: { dashboard: 'read' },
  summary: 'List the scripts of all integrations, newest first, with their last runs and failures',
  tag: TAG,
  query: z.strictObject({
    cursor: z.string().min(1).max(255).optional().meta({ description: '`next_cursor` of the previous page', example: 'NDI' }),
  }),
  responses: {
    200: {
      description: 'One page.',
      schema: z.strictObject({
        data: z.array(row),
        next_cursor: z.string().nullable(),
        waiting: z
          .int()
          .describe(`queued runs that are due and have not begun; more than ${MAX_WAITING} are not counted exactly`),
      }),
      example: {
        data: [
          {
            unique_key: INTEGRATION_KEY,
            display_name: INTEGRATION.display_name,
            event: SCRIPT_EVENT,
            version: SCRIPT.version,
            enabled: true,
            last_run_at: SCRIPT.created_at,
            failures: 1,
          },
        ],
        next_cursor: null,
        waiting: 0,
      },
    },
  },
  async handle(services: ApiServices, { caller, query }) {
    const environment = environmentInPath(caller);
    const before = query.cursor === undefined ? undefined : fromCursor(query.cursor);
    const since = new Date(services.clock.now().getTime() - DAY_MS);
    const found = await scriptPage(services.db, environment.id, { limit: PAGE + 1, before, since });
    const page = found.slice(0, PAGE);
    const last = page.at(-1);
    const next_cursor = found.length > PAGE && last ? toCursor(last.id) : null;
    const waiting = await dueRunsOf(services.db, environment.id, MAX_WAITING + 1);
    return { body: { data: page.map(shownScript), next_cursor, waiting } };
  },
});

const versions = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/integrations/:uniqueKey/scripts/:event/versions',
  operationId: 'listScriptVersions',
  access: { dashboard: 'read' },
  summary: 'List the kept versions of a script, newest first',
  tag: TAG,
  params: ofScript,
  responses: {
    200: {
      description: 'At most 100 versions.',
      schema: z.strictObject({ data: z.array(version) }),
      example: { data: [VERSION] },
    },
    404: NO_SCRIPT,
  },
  async handle(services: ApiServices, { caller, params }) {
    const environment = environmentInPath(caller);
    const place = await requireScriptPlace(services.db, { ...params, environmentId: environment.id });
    return { body: { data: (await versionsOf(services.db, place)).map(shownVersion) } };
  },
});

const source = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/integrations/:uniqueKey/scripts/:event/versions/:version',
  operationId: 'getScriptVersion',
  access: { dashboard: 'change' },
  summary: 'Get a version of a script with its original source',
  tag: TAG,
  params: ofScript.extend({ version: rowIdInPath('number of the version') }),
  responses: {
    200: {
      description: 'The version.',
      schema: z.strictObject({ data: version.extend({ source: z.string() }) }),
      example: { data: { ...VERSION, source: SCRIPT_SOURCE } },
    },
    404: { description: 'There is no such integration, script or version.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    const environment = environmentInPath(caller);
    const place = await requireScriptPlace(services.db, { ...params, environmentId: environment.id });
    const found = await sourceOf(services, place, params.version);
    if (found === undefined) throw new ServiceError('not_found', 'there is no such version of this script');
    return { body: { data: { ...shownVersion(found), source: found.source } } };
  },
});

export const dashboardScriptRoutes = [overview, versions, source];

function shownScript({ uniqueKey, displayName, event, version, enabled, lastRunAt, failures }: OverviewScript) {
  const last_run_at = lastRunAt?.toISOString() ?? null;
  return { unique_key: uniqueKey, display_name: displayName, event, version, enabled, last_run_at, failures };
}

function shownVersion({ version, language, createdAt }: VersionFacts) {
  return { version, language, created_at: createdAt.toISOString() };
}
