import * as z from 'zod';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { currentNames, NAMES, named } from '../current-names.ts';
import { LOG } from '../examples.ts';
import type { ApiServices } from '../services.ts';
import { causeOf, failureCause } from './failure-cause.ts';
import { fullLog, LISTED_LOG, listedLog } from './log-schemas.ts';
import { listLogs, logById, logQuery, readLog } from './routes.ts';

const READ = { access: { dashboard: 'read' }, tag: 'Logs' } as const;

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
