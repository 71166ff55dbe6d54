import * as z from 'zod';
import { ServiceError } from '../../errors.ts';
import { type Caller, environmentInPath, memberOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { liveKeysOf } from '../../tenants/api-keys/api-key-store.ts';
import { ENVIRONMENT_SCOPES } from '../../tenants/api-keys/scopes.ts';
import { isRevealing, PERMISSIONS, requirePermission } from '../../tenants/members/permissions.ts';
import { pathId } from '../dashboard/schemas.ts';
import { API_KEY } from '../examples.ts';
import type { ApiServices } from '../services.ts';
import { endKey, makeKey, replaceKey } from './key-changes.ts';
import { keyList, keyName, keyRecord, newKey, REVOKED, ROLLING, rolling } from './key-schemas.ts';

const TAG = 'API keys';
const ofKey = z.strictObject({ id: pathId });
const NO_KEY = { description: 'The account has no such environment, or the environment has no such key.' };

const list = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/keys',
  operationId: 'listKeys',
  access: { dashboard: 'read' },
  summary: 'List the API keys of an environment, without their secrets',
  tag: TAG,
  responses: { 200: keyList },
  async handle(services: ApiServices, { caller }) {
    const keys = await liveKeysOf(services.db, ownerOf(caller));
    return { body: { data: keys.map(keyRecord) } };
  },
});

const create = defineRoute({
  method: 'POST',
  path: '/api/ui/e/:env/keys',
  operationId: 'createKey',
  access: { dashboard: 'issue' },
  summary: 'Create an API key; needs a fresh confirmation if the key reads credentials, and an admin in production',
  tag: TAG,
  body: z.strictObject({
    name: keyName,
    scopes: z.array(z.enum(ENVIRONMENT_SCOPES)).min(1).max(ENVIRONMENT_SCOPES.length),
    expires_at: z.iso.datetime({ offset: true }).nullable().optional().describe('when the key expires; default: never'),
  }),
  bodyExample: { name: API_KEY.display_name, scopes: API_KEY.scopes },
  responses: { 201: newKey, 409: { description: 'The environment already has a key with this name.' } },
  async handle(services: ApiServices, { body, ...by }) {
    requireIssuing(by.caller, body.scopes);
    return makeKey(services, by, ownerOf(by.caller), body);
  },
});

const roll = defineRoute({
  method: 'POST',
  path: '/api/ui/e/:env/keys/:id/roll',
  operationId: 'rollKey',
  access: { dashboard: 'issue' },
  summary: 'Replace an API key with a new one of the same name and scopes; the old one may stay valid for a while',
  tag: TAG,
  params: ofKey,
  body: rolling,
  bodyExample: ROLLING,
  responses: { 201: newKey, 404: NO_KEY, 409: { description: 'The key has expired.' } },
  async handle(services: ApiServices, { params, body, ...by }) {
    const owner = ownerOf(by.caller);
    const replaced = (await liveKeysOf(services.db, owner)).find(({ id }) => id === params.id);
    if (replaced === undefined) throw new ServiceError('not_found', `there is no API key ${params.id}`);
    requireIssuing(by.caller, replaced.scopes);
    return replaceKey(services, by, owner, { id: params.id, body });
  },
});

const revoke = defineRoute({
  method: 'DELETE',
  path: '/api/ui/e/:env/keys/:id',
  operationId: 'revokeKey',
  access: { dashboard: 'change' },
  summary: 'Revoke an API key',
  tag: TAG,
  params: ofKey,
  responses: { 204: { description: REVOKED }, 404: NO_KEY },
  async handle(services: ApiServices, { params, ...by }) {
    return endKey(services, by, ownerOf(by.caller), params.id);
  },
});

export const keyRoutes = [list, create, roll, revoke];

function ownerOf(caller: Caller) {
  const { accountId, id: environmentId } = environmentInPath(caller);
  return { accountId, environmentId };
}

/**
 * Checks that the caller may create a key with these scopes. Some scopes let a key read what a member may see only after
 * confirming who they are, so creating such a key requires the same confirmation.
 */
function requireIssuing(caller: Caller, scopes: readonly string[]): void {
  if (scopes.some(isRevealing)) requirePermission(memberOf(caller), PERMISSIONS.reveal, environmentInPath(caller));
}
