import * as z from 'zod';
import { listRuns } from '../../scripts/scripts.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { connectionName, named } from '../current-names.ts';
import { SCRIPT_RUN } from '../examples.ts';
import { connectionId } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { NO_SCRIPT, ofScript } from './dashboard-routes.ts';
import { runRecord, shownRun } from './routes.ts';

/** A run of a script. It has the same ID as its entry in the operation log. */
const run = runRecord.extend({ connection_name: connectionName });

const list = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/integrations/:uniqueKey/scripts/:event/runs',
  operationId: 'listScriptRuns',
  access: { dashboard: 'read' },
  summary: 'List the latest runs of a script, newest first, with the names of their connections',
  tag: 'Scripts',
  params: ofScript,
  query: z.strictObject({ connection_id: connectionId.optional().describe('only runs for this connection') }),
  responses: {
    200: {
      description: 'At most 100 runs, within the retention of the operation log.',
      schema: z.strictObject({ data: z.array(run) }),
      example: { data: [{ ...SCRIPT_RUN, connection_name: 'Jane Doe' }] },
    },
    404: NO_SCRIPT,
  },
  async handle(services: ApiServices, { caller, params: { uniqueKey, event }, query }) {
    const environment = environmentInPath(caller);
    const address = { environmentId: environment.id, uniqueKey };
    const found = await listRuns(services.db, address, { event, connectionId: query.connection_id });
    const runs = found.map((one) => ({ ...shownRun(one), provider_config_key: uniqueKey }));
    const data = await named(services, environment.id, runs);
    return { body: { data: data.map(({ provider_config_key: _key, integration: _integration, ...one }) => one) } };
  },
});

export const scriptRunRoutes = [list];
