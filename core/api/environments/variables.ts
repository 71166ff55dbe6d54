import * as z from 'zod';
import { ServiceError } from '../../errors.ts';
import { defineRoute } from '../../server/route.ts';
import type { Environment } from '../../tenants/environments/environment-store.ts';
import { deleteVariable, variablesOf } from '../../tenants/environments/variable-store.ts';
import { setVariable, VARIABLE_NAME } from '../../tenants/environments/variables.ts';
import { SETTING_PERMISSIONS } from '../../tenants/members/permissions.ts';
import { actingIn } from '../dashboard/acting.ts';
import { environmentChanged, recordedChange } from '../dashboard/recorded-change.ts';
import { NO_ENVIRONMENT, ofEnvironment } from '../dashboard/schemas.ts';
import type { DashboardServices } from '../dashboard/services.ts';

const TAG = 'Variables';
const MAX_VALUE = 65_536;
const ofVariable = ofEnvironment.extend({
  name: z.string().regex(VARIABLE_NAME).meta({ description: 'the name of a variable', example: 'TRACKER_REGION' }),
});

const list = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/variables',
  operationId: 'listVariables',
  access: { dashboard: 'read' },
  summary: 'The names of the variables that scripts read; their values stay inside',
  tag: TAG,
  params: ofEnvironment,
  responses: {
    200: {
      description: 'All, sorted by name.',
      schema: z.strictObject({ data: z.array(z.strictObject({ name: z.string() })) }),
      example: { data: [{ name: 'TRACKER_REGION' }] },
    },
    404: NO_ENVIRONMENT,
  },
  async handle(services: DashboardServices, { caller, params }) {
    const { environment } = await actingIn(services, caller, params.env);
    const variables = await variablesOf(services.db, environment.id);
    return { body: { data: variables.map(({ name }) => ({ name })) } };
  },
});

const put = defineRoute({
  method: 'PUT',
  path: '/api/ui/e/:env/variables/:name',
  operationId: 'setVariable',
  access: { dashboard: SETTING_PERMISSIONS.variables },
  summary: 'Set a variable',
  tag: TAG,
  params: ofVariable,
  body: z.strictObject({ value: z.string().max(MAX_VALUE) }),
  bodyExample: { value: 'eu' },
  responses: {
    204: { description: 'Set, for the next run of a script.' },
    404: NO_ENVIRONMENT,
  },
  async handle(services: DashboardServices, { params, body, ...by }) {
    const { environment } = await actingIn(services, by.caller, params.env);
    const { name } = params;
    await recordedChange(services, by, async (here, record) => {
      await setVariable(here, environment.id, { name, ...body });
      await record(variablesChanged(environment, name));
    });
    return { status: 204 };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/api/ui/e/:env/variables/:name',
  operationId: 'deleteVariable',
  access: { dashboard: SETTING_PERMISSIONS.variables },
  summary: 'Delete a variable',
  tag: TAG,
  params: ofVariable,
  responses: { 204: { description: 'Deleted.' }, 404: { description: 'The environment has no such variable.' } },
  async handle(services: DashboardServices, { params, ...by }) {
    const { environment } = await actingIn(services, by.caller, params.env);
    await recordedChange(services, by, async ({ db }, record) => {
      if (!(await deleteVariable(db, environment.id, params.name)))
        throw new ServiceError('not_found', `there is no variable "${params.name}"`);
      await record(variablesChanged(environment, params.name));
    });
    return { status: 204 };
  },
});

export const variableRoutes = [list, put, remove];

function variablesChanged(environment: Environment, name: string) {
  return environmentChanged(environment, { variables: [name] });
}
