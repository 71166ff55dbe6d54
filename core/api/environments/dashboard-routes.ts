import * as z from 'zod';
import { deleteEnvironmentUnlessLast } from '../../connect/deletion/environment-deleting.ts';
import { requireNoSandboxes } from '../../connections/integrations/demo-provider.ts';
import { ServiceError } from '../../errors.ts';
import { memberOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { environmentName } from '../../tenants/environments/environment-name.ts';
import { environmentByName, updateEnvironment } from '../../tenants/environments/environment-store.ts';
import { createEnvironment } from '../../tenants/environments/environments.ts';
import { PERMISSIONS, requirePermission } from '../../tenants/members/permissions.ts';
import { requireNoInbox } from '../../webhook-delivery/webhook-urls.ts';
import { namesOf } from '../audit-context.ts';
import { environmentChanged, environmentCreated, recordedChange } from '../dashboard/recorded-change.ts';
import { API_KEY, ENVIRONMENT } from '../examples.ts';
import { callbackUrl } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const TAG = 'Account';

const ofName = z.strictObject({ name: environmentName.meta({ description: 'name of the environment', example: 'staging' }) });

const summary = z.strictObject({ uuid: z.uuid(), name: z.string(), is_production: z.boolean() });
const SUMMARY = { uuid: ENVIRONMENT.uuid, name: 'staging', is_production: false };

const create = defineRoute({
  method: 'POST',
  path: '/api/ui/environments',
  operationId: 'addEnvironment',
  access: { dashboard: 'govern' },
  summary: 'Create an environment with its first API key; needs a fresh confirmation',
  tag: TAG,
  body: z.strictObject({ name: environmentName, is_production: z.boolean(), callback_url: callbackUrl.optional() }),
  bodyExample: { name: 'staging', is_production: false },
  responses: {
    201: {
      description: 'The environment. This is the only response with its full-access key.',
      schema: z.strictObject({ data: summary.extend({ api_key: z.string() }) }),
      example: { data: { ...SUMMARY, api_key: API_KEY.secret } },
    },
    409: { description: 'The account already has an environment with this name.' },
  },
  async handle(services: ApiServices, { body, ...by }) {
    const { environment, apiKey } = await recordedChange(services, by, async (here, record) => {
      const { accountId, name: createdBy } = memberOf(by.caller);
      const wanted = { accountId, name: body.name, callbackUrl: body.callback_url, isProduction: body.is_production };
      const made = await createEnvironment(here, wanted, createdBy);
      await record(environmentCreated(made.environment));
      return made;
    });
    const { uuid, name, isProduction } = environment;
    return { status: 201, body: { data: { uuid, name, is_production: isProduction, api_key: apiKey } } };
  },
});

const change = defineRoute({
  method: 'PATCH',
  path: '/api/ui/environments/:name',
  operationId: 'changeEnvironment',
  access: { dashboard: 'administer' },
  summary: 'Rename an environment, or begin or end its production status, which needs a fresh confirmation',
  tag: TAG,
  params: ofName,
  body: z.strictObject({ name: environmentName.exactOptional(), is_production: z.boolean().exactOptional() }),
  bodyExample: { name: 'staging', is_production: true },
  responses: {
    200: {
      description: 'The environment after the change.',
      schema: z.strictObject({ data: summary }),
      example: { data: SUMMARY },
    },
    404: { description: 'The account has no such environment.' },
    409: {
      description: 'The name is taken, or the environment has something that production cannot have: a sandbox, the inbox.',
    },
  },
  async handle(services: ApiServices, { params, body, ...by }) {
    const member = memberOf(by.caller);
    const environment = await environmentByName(services.db, member.accountId, params.name);
    if (environment === undefined) throw new ServiceError('not_found', `there is no environment "${params.name}"`);
    const isSwitched = body.is_production !== undefined && body.is_production !== environment.isProduction;
    if (isSwitched) requirePermission(member, PERMISSIONS.govern, environment);
    await recordedChange(services, by, async ({ db }, record) => {
      if (isSwitched && body.is_production) {
        await requireNoSandboxes({ ...services, db }, environment.id);
        requireNoInbox(services.baseUrl, environment);
      }
      await updateEnvironment(db, environment.id, body);
      await record(environmentChanged(environment, { changed: namesOf(body), ...body }));
    });
    const { uuid, name, isProduction } = environment;
    return { body: { data: { uuid, name, is_production: isProduction, ...body } } };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/api/ui/environments/:name',
  operationId: 'removeEnvironment',
  access: { dashboard: 'administer' },
  summary: 'Delete an environment with everything in it',
  tag: TAG,
  params: ofName,
  responses: {
    204: { description: 'Deleted: its keys, sessions and connections no longer work, and its name is available.' },
    404: { description: 'The account has no such environment.' },
    409: { description: 'This is the last environment of the account.' },
  },
  async handle(services: ApiServices, { params: { name }, ...by }) {
    await recordedChange(services, by, async (here, record) => {
      const id = await deleteEnvironmentUnlessLast(here, memberOf(by.caller).accountId, name);
      await record({ environmentId: id, action: 'environment.delete', subject: { type: 'environment', id: String(id), name } });
    });
    return { status: 204 };
  },
});

export const environmentsRoutes = [create, change, remove];
