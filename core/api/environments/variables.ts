import * as z from 'zod';
import { ServiceError } from '../../errors.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import type { Environment } from '../../tenants/environments/environment-store.ts';
import { deleteVariable, variablesOf } from '../../tenants/environments/variable-store.ts';
import { setVariable, VARIABLE_NAME } from '../../tenants/environments/variables.ts';
import { SETTING_PERMISSIONS } from '../../tenants/members/permissions.ts';
import { environmentChanged, recordedChange } from '../dashboard/recorded-change.ts';
import type { ApiServices } from '../services.ts';

const TAG = 'Variables';
const MAX_VALUE = 65_536;
const ofVariable = z.strictObject({
  name: z.string().regex(VARIABLE_NAME).meta({ description: 'the name of a variable', example: 'TRACKER_REGION' }),
});

const list = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/variables',
  operationId: 'listVariables',
  access: { dashboard: 'read' },
  summary: 'List the names of the variables that scripts read, without their values',
  tag: TAG,
  responses: {
    200: {
      description: 'All variables, sorted by name.',
      schema: z.strictObject({ data: z.array(z.strictObject({ name: z.string() })) }),
      example: { data: [{ name: 'TRACKER_REGION' }] },
    },
  },
  async handle(services: ApiServices, { caller }) {
    const environment = environmentInPath(caller);
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
    204: { description: 'The variable is set, for the next run of a script.' },
  },
  async handle(services: ApiServices, { params, body, ...by }) {
    const environment = environmentInPath(by.caller);
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
  async handle(services: ApiServices, { params, ...by }) {
    const environment = environmentInPath(by.caller);
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
