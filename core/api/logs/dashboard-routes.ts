import type { Knex } from 'knex';
import * as z from 'zod';
import { connectionNames } from '../../connections/connection-names-store.ts';
import { shownUser } from '../../connections/end-user.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { LOG } from '../examples.ts';
import type { ApiServices } from '../services.ts';
import { causeOf, failureCause } from './failure-cause.ts';
import { fullLog, LISTED_LOG, listedLog } from './log-schemas.ts';
import { listLogs, logById, logQuery, readLog } from './routes.ts';

const READ = { access: { dashboard: 'read' }, tag: 'Logs' } as const;

/** The schema of the field that `named` adds to a log entry. */
export const connectionName = {
  connection_name: z.string().nullable().describe('current name of the connection; null: it has no name, or is deleted'),
};

const list = defineRoute({
  ...READ,
  method: 'GET',
  path: '/api/ui/e/:env/logs',
  operationId: 'listLogs',
  summary: 'List entries of the operation log, newest first, with the names of their connections',
  query: logQuery,
  responses: {
    200: {
      description: 'One page, without messages.',
      schema: z.strictObject({ data: z.array(listedLog.extend(connectionName)), next_cursor: z.string().nullable() }),
      example: { data: [{ ...LISTED_LOG, connection_name: 'Jane Doe' }], next_cursor: null },
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
      schema: z.strictObject({ data: fullLog.extend({ ...connectionName, cause: failureCause.nullable() }) }),
      example: { data: { ...LOG, connection_name: 'Jane Doe', cause: causeOf(LOG) } },
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

/** Returns the log entries, each with the current name of its connection added. */
export async function named<Entry extends OfConnection>(
  { db }: { readonly db: Knex },
  environmentId: number,
  entries: readonly Entry[],
): Promise<readonly (Entry & { readonly connection_name: string | null })[]> {
  const ids = entries.flatMap(({ connection_id: id }) => id ?? []);
  const found = await connectionNames(db, environmentId, [...new Set(ids)]);
  return entries.map((entry) => {
    const { connection_id: id, provider_config_key: key } = entry;
    const own = found.find((one) => one.connection_id === id && one.provider_config_key === key);
    const user = own && shownUser(own.tags, own.end_user);
    return { ...entry, connection_name: user?.displayName ?? user?.email ?? null };
  });
}
