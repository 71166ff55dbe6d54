import * as z from 'zod';
import { connectionNames } from '../../connections/connection-names-store.ts';
import { shownUser, userName } from '../../connections/end-user.ts';
import { integrationNames } from '../../connections/integrations/integration-names-store.ts';
import { logoUrl } from '../../connections/integrations/integration-record.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { INTEGRATION, LOG } from '../examples.ts';
import type { ApiServices } from '../services.ts';
import { causeOf, failureCause } from './failure-cause.ts';
import { fullLog, LISTED_LOG, listedLog } from './log-schemas.ts';
import { listLogs, logById, logQuery, readLog } from './routes.ts';

const READ = { access: { dashboard: 'read' }, tag: 'Logs' } as const;

/** The schema of the name that an entry about a connection has. */
export const connectionName = z
  .string()
  .nullable()
  .describe('current name of the connection: that of its end user, or else their e-mail address or ID; null: none, or deleted');

/** The schema of the fields that `named` adds to a log entry. */
export const currentNames = {
  connection_name: connectionName,
  integration: z
    .strictObject({ display_name: z.string(), logo: z.url() })
    .nullable()
    .describe('the integration that has the key now; null: none'),
};
export type Names = z.output<z.ZodObject<typeof currentNames>>;
export const NAMES = {
  connection_name: 'Jane Doe',
  integration: { display_name: INTEGRATION.display_name, logo: INTEGRATION.logo },
};

const list = defineRoute({
  ...READ,
  method: 'GET',
  path: '/api/ui/e/:env/logs',
  operationId: 'listLogs',
  summary: 'List entries of the operation log, newest first, with the names of their connections and integrations',
  query: logQuery,
  responses: {
    200: {
      description: 'One page, without messages.',
      schema: z.strictObject({ data: z.array(listedLog.extend(currentNames)), next_cursor: z.string().nullable() }),
      example: { data: [{ ...LISTED_LOG, ...NAMES }], next_cursor: null },
    },
  },
  async handle(services: ApiServices, { caller, query }) {
    const environment = environmentInPath(caller);
    const { data, next_cursor } = await listLogs(services, environment.id, query);
    return { body: { data: await named(services, environment.id, data), next_cursor } };
  },
});

const read = defineRoute({
  ...READ,
  method: 'GET',
  path: '/api/ui/e/:env/logs/:id',
  operationId: 'getLog',
  summary: 'Get an entry of the operation log, with the name of its connection and the cause of a failure',
  params: logById,
  responses: {
    200: {
      description: 'The operation and its messages.',
      schema: z.strictObject({ data: fullLog.extend({ ...currentNames, cause: failureCause.nullable() }) }),
      example: { data: { ...LOG, ...NAMES, cause: causeOf(LOG) } },
    },
    404: { description: 'There is no such operation, or its retention has ended.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    const environment = environmentInPath(caller);
    const entry = await readLog(services, environment.id, params.id);
    const [data] = await named(services, environment.id, [entry]);
    return { body: { data: { ...data, cause: causeOf(entry) } } };
  },
});

export const dashboardLogRoutes = [list, read];

interface OfConnection {
  readonly connection_id: string | null;
  readonly provider_config_key: string | null;
}

/** Returns the log entries, each with the current names of its connection and its integration added. */
export async function named<Entry extends OfConnection>(
  { db, baseUrl }: Pick<ApiServices, 'db' | 'baseUrl'>,
  environmentId: number,
  entries: readonly Entry[],
): Promise<readonly (Entry & Names)[]> {
  const ids = entries.flatMap(({ connection_id: id }) => id ?? []);
  const found = await connectionNames(db, environmentId, [...new Set(ids)]);
  const keys = entries.flatMap(({ provider_config_key: key }) => key ?? []);
  const integrations = await integrationNames(db, environmentId, keys);
  return entries.map((entry) => {
    const { connection_id: id, provider_config_key: key } = entry;
    const own = found.find((one) => one.connection_id === id && one.provider_config_key === key);
    const integration = key === null ? undefined : integrations.get(key);
    return {
      ...entry,
      connection_name: own ? userName(shownUser(own.tags, own.end_user)) : null,
      integration: integration ? { display_name: integration.display_name, logo: logoUrl(baseUrl, integration.provider) } : null,
    };
  });
}
