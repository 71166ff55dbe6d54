import * as z from 'zod';
import { type Caller, memberOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { liveKeysOf } from '../../tenants/api-keys/api-key-store.ts';
import { ACCOUNT_SCOPES } from '../../tenants/api-keys/scopes.ts';
import { pathId } from '../dashboard/schemas.ts';
import type { ApiServices } from '../services.ts';
import { endKey, makeKey, replaceKey } from './key-changes.ts';
import { keyList, keyName, keyRecord, newKey, REVOKED, ROLLING, rolling } from './key-schemas.ts';

const TAG = 'Account';
const ofKey = z.strictObject({ id: pathId });
const NO_KEY = { description: 'The account has no such key.' };

const list = defineRoute({
  method: 'GET',
  path: '/api/ui/account/keys',
  operationId: 'listAccountKeys',
  access: { dashboard: 'administer' },
  summary: 'List the keys of the account, without their secrets',
  tag: TAG,
  responses: { 200: keyList },
  async handle(services: ApiServices, { caller }) {
    const keys = await liveKeysOf(services.db, ownerOf(caller));
    return { body: { data: keys.map(keyRecord) } };
  },
});

const create = defineRoute({
  method: 'POST',
  path: '/api/ui/account/keys',
  operationId: 'createAccountKey',
  access: { dashboard: 'govern' },
  summary: 'Create a key of the account, which can create environments and their keys; needs a fresh confirmation',
  tag: TAG,
  body: z.strictObject({
    name: keyName,
    scopes: z.array(z.enum(ACCOUNT_SCOPES)).min(1).max(ACCOUNT_SCOPES.length),
    expires_at: z.iso.datetime({ offset: true }).nullable().optional().describe('when the key expires; default: never'),
  }),
  bodyExample: { name: 'provisioning', scopes: ['account:*'] },
  responses: { 201: newKey, 409: { description: 'The account already has a key with this name.' } },
  async handle(services: ApiServices, { body, ...by }) {
    return makeKey(services, by, ownerOf(by.caller), body);
  },
});

const roll = defineRoute({
  method: 'POST',
  path: '/api/ui/account/keys/:id/roll',
  operationId: 'rollAccountKey',
  access: { dashboard: 'govern' },
  summary: 'Replace a key of the account with a new one of the same name and scopes; needs a fresh confirmation',
  tag: TAG,
  params: ofKey,
  body: rolling,
  bodyExample: ROLLING,
  responses: { 201: newKey, 404: NO_KEY, 409: { description: 'The key has expired.' } },
  async handle(services: ApiServices, { params, body, ...by }) {
    return replaceKey(services, by, ownerOf(by.caller), { id: params.id, body });
  },
});

const revoke = defineRoute({
  method: 'DELETE',
  path: '/api/ui/account/keys/:id',
  operationId: 'revokeAccountKey',
  access: { dashboard: 'administer' },
  summary: 'Revoke a key of the account',
  tag: TAG,
  params: ofKey,
  responses: {
    204: { description: REVOKED },
    404: NO_KEY,
  },
  async handle(services: ApiServices, { params, ...by }) {
    return endKey(services, by, ownerOf(by.caller), params.id);
  },
});

export const accountKeyRoutes = [list, create, roll, revoke];

function ownerOf(caller: Caller) {
  return { accountId: memberOf(caller).accountId, environmentId: null };
}
