import * as z from 'zod';
import { withFormerKeys } from '../../connections/integrations/alias-store.ts';
import { ServiceError } from '../../errors.ts';
import { operationById } from '../../journal/operation-log/activity-store.ts';
import { operationCursor, operationPage } from '../../journal/operation-log/operation-page.ts';
import { listedOperation, shownOperation } from '../../journal/operation-log/operation-record.ts';
import { environmentOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { LOG } from '../examples.ts';
import type { ApiServices } from '../services.ts';
import { filterOf, fullLog, LISTED_LOG, listedLog, logFilter, logPage, needsActor, rangeOf } from './log-schemas.ts';

const READ = { access: { scope: 'environment:logs:read' }, tag: 'Logs' } as const;

export const logById = z.strictObject({
  id: z.uuid().meta({ description: '`log_id` of an error of a connection', example: LOG.id }),
});

export const logQuery = logFilter.extend(logPage).refine(...needsActor);

const list = defineRoute({
  ...READ,
  method: 'GET',
  path: '/logs',
  operationId: 'listLogs',
  summary: 'List entries of the operation log, newest first',
  query: logQuery,
  responses: {
    200: {
      description:
        'One page, without messages. Some entries are left out: beyond 100 successful proxied calls per second on an instance, ' +
        'further ones of that second; beyond 20 rejected deliveries per minute and integration on an instance, further ones of ' +
        'that minute; any entries while 20,000 wait to be written. The oldest are removed when their retention has ended or the ' +
        'log exceeds `SVC_LOG_MAX_MB`.',
      schema: z.strictObject({ data: z.array(listedLog), next_cursor: z.string().nullable() }),
      example: { data: [LISTED_LOG], next_cursor: null },
    },
  },
  async handle(services: ApiServices, { caller, query }) {
    return { body: await listLogs(services, environmentOf(caller), query) };
  },
});

const read = defineRoute({
  ...READ,
  method: 'GET',
  path: '/logs/:id',
  operationId: 'getLog',
  summary: 'Get an entry of the operation log',
  params: logById,
  responses: {
    200: { description: 'The operation and its messages.', schema: z.strictObject({ data: fullLog }), example: { data: LOG } },
    404: { description: 'There is no such operation, or its retention has ended.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    return { body: { data: await readLog(services, environmentOf(caller), params.id) } };
  },
});

export const logRoutes = [list, read];

type LogServices = Pick<ApiServices, 'activity' | 'db' | 'clock'>;

export async function listLogs({ activity, db, clock }: LogServices, environmentId: number, query: z.output<typeof logQuery>) {
  const filter = filterOf(query);
  const integrations = filter.integrations && (await withFormerKeys(db, environmentId, filter.integrations));
  const wanted = { ...filter, integrations, ...rangeOf(query), now: clock.now() };
  await activity.flush();
  const { rows, next } = await operationPage(db, environmentId, wanted);
  return { data: rows.map(listedOperation), next_cursor: next === null ? null : operationCursor(next) };
}

/** Reads an operation with its messages. @throws ServiceError `not_found` */
export async function readLog({ activity, db }: LogServices, environmentId: number, id: string) {
  await activity.flush();
  const row = await operationById(db, environmentId, id);
  if (row === undefined) throw new ServiceError('not_found', 'there is no such log entry');
  return shownOperation(row);
}
