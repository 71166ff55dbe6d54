import * as z from 'zod';
import { ServiceError } from '../../errors.ts';
import { type Caller, memberOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { liveKeysOf } from '../../tenants/api-keys/api-key-store.ts';
import { ENVIRONMENT_SCOPES } from '../../tenants/api-keys/scopes.ts';
import type { Environment } from '../../tenants/environments/environment-store.ts';
import type { MemberCaller } from '../../tenants/members/caller.ts';
import { isRevealing, PERMISSIONS, requirePermission } from '../../tenants/members/permissions.ts';
import { actingIn } from '../dashboard/acting.ts';
import { NO_ENVIRONMENT, ofEnvironment, pathId } from '../dashboard/schemas.ts';
import type { DashboardServices } from '../dashboard/services.ts';
import { API_KEY } from '../examples.ts';
import { endKey, makeKey, replaceKey } from './key-changes.ts';
import { keyList, keyName, keyRecord, newKey, ROLLING, rolling } from './key-schemas.ts';

const TAG = 'API keys';
const ofKey = ofEnvironment.extend({ id: pathId });
const NO_KEY = { description: 'The account has no such environment, or the environment no such key.' };

const list = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/keys',
  operationId: 'listKeys',
  access: { dashboard: 'read' },
  summary: 'The API keys of an environment, without their secrets',
  tag: TAG,
  params: ofEnvironment,
  responses: { 200: keyList, 404: NO_ENVIRONMENT },
  async handle(services: DashboardServices, { caller, params }) {
    const { owner } = await ownerIn(services, caller, params.env);
    const keys = await liveKeysOf(services.db, owner);
    return { body: { data: keys.map(keyRecord) } };
  },
});

const create = defineRoute({
  method: 'POST',
  path: '/api/ui/e/:env/keys',
  operationId: 'createKey',
  access: { dashboard: 'issue' },
  summary: 'Make an API key; one that reads credentials needs a fresh confirmation, one of production an admin',
  tag: TAG,
  params: ofEnvironment,
  body: z.strictObject({
    name: keyName,
    scopes: z.array(z.enum(ENVIRONMENT_SCOPES)).min(1).max(ENVIRONMENT_SCOPES.length),
    expires_at: z.iso.datetime({ offset: true }).nullable().optional().describe('when the key expires; default: never'),
  }),
  bodyExample: { name: API_KEY.display_name, scopes: API_KEY.scopes },
  responses: { 201: newKey, 404: NO_ENVIRONMENT, 409: { description: 'The environment has a key of that name.' } },
  async handle(services: DashboardServices, { params, body, ...by }) {
    const { owner, environment } = await ownerIn(services, by.caller, params.env);
    requireIssuing(memberOf(by.caller), environment, body.scopes);
    return makeKey(services, by, owner, body);
  },
});

const roll = defineRoute({
  method: 'POST',
  path: '/api/ui/e/:env/keys/:id/roll',
  operationId: 'rollKey',
  access: { dashboard: 'issue' },
  summary: 'Replace an API key by a new one with the same name and scopes; the old one goes on for a while',
  tag: TAG,
  params: ofKey,
  body: rolling,
  bodyExample: ROLLING,
  responses: { 201: newKey, 404: NO_KEY },
  async handle(services: DashboardServices, { params, body, ...by }) {
    const { owner, environment } = await ownerIn(services, by.caller, params.env);
    const replaced = (await liveKeysOf(services.db, owner)).find(({ id }) => id === params.id);
    if (replaced === undefined) throw new ServiceError('not_found', `there is no API key ${params.id}`);
    requireIssuing(memberOf(by.caller), environment, replaced.scopes);
    return replaceKey(services, by, owner, { id: params.id, body });
  },
});

const revoke = defineRoute({
  method: 'DELETE',
  path: '/api/ui/e/:env/keys/:id',
  operationId: 'revokeKey',
  access: { dashboard: 'change' },
  summary: 'Revoke an API key: it stops working at once',
  tag: TAG,
  params: ofKey,
  responses: { 204: { description: 'Revoked, on every instance within two seconds.' }, 404: NO_KEY },
  async handle(services: DashboardServices, { params, ...by }) {
    const { owner } = await ownerIn(services, by.caller, params.env);
    return endKey(services, by, owner, params.id);
  },
});

export const keyRoutes = [list, create, roll, revoke];

async function ownerIn(services: DashboardServices, caller: Caller, name: string) {
  const { environment } = await actingIn(services, caller, name);
  return { environment, owner: { accountId: environment.accountId, environmentId: environment.id } };
}

/** By a key with some scopes what only a confirmed person may see can be read. */
function requireIssuing(member: MemberCaller, environment: Environment, scopes: readonly string[]): void {
  if (scopes.some(isRevealing)) requirePermission(member, PERMISSIONS.reveal, environment);
}
