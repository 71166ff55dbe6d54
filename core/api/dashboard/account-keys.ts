import * as z from 'zod';
import { liveKeysOf } from '../../environments/api-key-store.ts';
import { createKey } from '../../environments/api-keys.ts';
import { revokeKeyOf } from '../../environments/rolled-keys.ts';
import { ACCOUNT_SCOPES } from '../../environments/scopes.ts';
import { type Caller, memberOf } from '../../http/caller.ts';
import { defineRoute } from '../../http/route.ts';
import { requireConfirmed } from '../../members/sign-in.ts';
import { futureTime } from '../api-keys.ts';
import { keyList, keyName, keyRecord, newKey } from './key-schemas.ts';
import { recordedChange } from './recorded-change.ts';
import { pathId } from './schemas.ts';
import type { DashboardServices } from './services.ts';

const TAG = 'Account';

const list = defineRoute({
  method: 'GET',
  path: '/api/ui/account/keys',
  operationId: 'listAccountKeys',
  access: { dashboard: 'admin' },
  summary: 'The keys of the account, without their secrets',
  tag: TAG,
  responses: { 200: keyList },
  async handle(services: DashboardServices, { caller }) {
    const keys = await liveKeysOf(services.db, ownerOf(caller));
    return { body: { data: keys.map(keyRecord) } };
  },
});

const create = defineRoute({
  method: 'POST',
  path: '/api/ui/account/keys',
  operationId: 'createAccountKey',
  access: { dashboard: 'admin' },
  summary: 'Make a key of the account, which makes environments and their keys; needs a fresh password',
  tag: TAG,
  body: z.strictObject({
    name: keyName,
    scopes: z.array(z.enum(ACCOUNT_SCOPES)).min(1).max(ACCOUNT_SCOPES.length),
    expires_at: z.iso.datetime({ offset: true }).nullable().optional().describe('when the key expires; default: never'),
  }),
  bodyExample: { name: 'provisioning', scopes: ['account:*'] },
  responses: { 201: newKey, 409: { description: 'The account has a key of that name.' } },
  async handle(services: DashboardServices, { body, ...by }) {
    requireConfirmed(memberOf(by.caller));
    const expiresAt = body.expires_at ? futureTime(body.expires_at, services.clock.now()) : undefined;
    const wanted = { name: body.name, scopes: [...new Set(body.scopes)], expiresAt };
    const key = await recordedChange(services, by, async (here, record) => {
      const made = await createKey(here, ownerOf(by.caller), wanted);
      const subject = { type: 'api_key', id: String(made.id), name: made.name } as const;
      await record({ action: 'api_key.create', subject, facts: { scopes: wanted.scopes } });
      return made;
    });
    return { status: 201, body: { data: { ...keyRecord(key), secret: key.secret } } };
  },
});

const revoke = defineRoute({
  method: 'DELETE',
  path: '/api/ui/account/keys/:id',
  operationId: 'revokeAccountKey',
  access: { dashboard: 'admin' },
  summary: 'Revoke a key of the account: it stops working at once',
  tag: TAG,
  params: z.strictObject({ id: pathId }),
  responses: {
    204: { description: 'Revoked, on every instance within two seconds.' },
    404: { description: 'The account has no such key.' },
  },
  async handle(services: DashboardServices, { params, ...by }) {
    await recordedChange(services, by, async (here, record) => {
      const name = await revokeKeyOf(here, ownerOf(by.caller), params.id);
      await record({ action: 'api_key.revoke', subject: { type: 'api_key', id: String(params.id), name } });
    });
    return { status: 204 };
  },
});

export const accountKeyRoutes = [list, create, revoke];

function ownerOf(caller: Caller) {
  return { accountId: memberOf(caller).accountId, environmentId: null };
}
