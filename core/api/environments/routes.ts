import * as z from 'zod';
import { deleteEnvironment } from '../../connect/deletion/environment-deleting.ts';
import { withLongTransaction } from '../../db/transaction.ts';
import { recordAudit } from '../../journal/audit-trail/record.ts';
import { accountOf, environmentOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { environmentName } from '../../tenants/environments/environment-name.ts';
import { type Environment, environmentsOf } from '../../tenants/environments/environment-store.ts';
import { createEnvironment } from '../../tenants/environments/environments.ts';
import { readVariables } from '../../tenants/environments/variables.ts';
import { auditContext } from '../audit-context.ts';
import { API_KEY, ENVIRONMENT } from '../examples.ts';
import { callbackUrl, rowIdInPath } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const TAG = 'Environments';

const record = z.strictObject({
  id: z.int(),
  uuid: z.uuid(),
  name: z.string(),
  callback_url: z.string().nullable(),
});

const create = defineRoute({
  method: 'POST',
  path: '/environments',
  operationId: 'createEnvironment',
  access: { scope: 'account:environments:create' },
  writes: 'in-transaction',
  summary: 'Create an environment with its first API key',
  tag: TAG,
  body: z
    .strictObject({
      name: environmentName,
      callback_url: callbackUrl
        .optional()
        .describe('URL to which providers redirect browsers; default: the callback URL of the service'),
      is_production: z.boolean().optional(),
    })
    .meta({ id: 'EnvironmentRequest' }),
  bodyExample: { name: ENVIRONMENT.name, callback_url: ENVIRONMENT.callback_url, is_production: true },
  responses: {
    200: {
      description: 'The environment. This is the only response with its full-access key.',
      schema: z.strictObject({ data: record.extend({ api_key: z.string() }).meta({ id: 'NewEnvironment' }) }),
      example: { data: { ...ENVIRONMENT, api_key: API_KEY.secret } },
    },
    409: { description: 'The account already has an environment with this name.' },
  },
  async handle(services: ApiServices, { body, ...by }) {
    const context = auditContext(by);
    const wanted = {
      accountId: accountOf(by.caller),
      name: body.name,
      callbackUrl: body.callback_url,
      isProduction: body.is_production,
    };
    const { environment, apiKey } = await createEnvironment(services, wanted, context.source.actor.name);
    const { id: environmentId, name, isProduction: is_production } = environment;
    const subject = { type: 'environment', id: String(environmentId), name } as const;
    const entry = { action: 'environment.create', subject, facts: { is_production } } as const;
    await recordAudit(services, { ...context, environmentId, ...entry });
    return { body: { data: { ...environmentRecord(environment), api_key: apiKey } } };
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/environments',
  operationId: 'listEnvironments',
  access: { scope: 'account:environments:list' },
  summary: 'List the environments of the account',
  tag: TAG,
  responses: {
    200: {
      description: 'All environments, oldest first.',
      schema: z.strictObject({ data: z.array(record.extend({ is_production: z.boolean() }).meta({ id: 'Environment' })) }),
      example: { data: [{ ...ENVIRONMENT, is_production: true }] },
    },
  },
  async handle(services: ApiServices, { caller }) {
    const environments = await environmentsOf(services.db, accountOf(caller));
    const data = environments.map((one) => ({ ...environmentRecord(one), is_production: one.isProduction }));
    return { body: { data } };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/environments/:id',
  operationId: 'deleteEnvironment',
  access: { scope: 'account:environments:delete' },
  summary: 'Delete an environment with everything in it',
  tag: TAG,
  params: z.strictObject({
    id: rowIdInPath('the ID of an environment'),
  }),
  responses: {
    204: { description: 'Deleted: its keys, sessions and connections no longer work, and its name is available.' },
    404: { description: 'The account has no such environment.' },
  },
  async handle(services: ApiServices, { params, ...by }) {
    await withLongTransaction(services.db, async (trx) => {
      const here = { ...services, db: trx };
      const name = await deleteEnvironment(here, accountOf(by.caller), params.id);
      const subject = { type: 'environment', id: String(params.id), name } as const;
      await recordAudit(here, { ...auditContext(by), environmentId: params.id, action: 'environment.delete', subject });
    });
    return { status: 204 };
  },
});

const variables = defineRoute({
  method: 'GET',
  path: '/environment-variables',
  operationId: 'listEnvironmentVariables',
  access: { scope: 'environment:variables:read' },
  summary: 'List the variables of the environment',
  tag: TAG,
  responses: {
    200: {
      description: 'All variables, sorted by name.',
      schema: z.array(z.strictObject({ name: z.string(), value: z.string() }).meta({ id: 'EnvironmentVariable' })),
      example: [{ name: 'TRACKER_REGION', value: 'eu' }],
    },
  },
  async handle(services: ApiServices, { caller }) {
    return { body: await readVariables(services, environmentOf(caller)) };
  },
});

export const environmentRoutes = [create, list, remove, variables];

function environmentRecord({ id, uuid, name, callbackUrl }: Environment) {
  return { id, uuid, name, callback_url: callbackUrl };
}
