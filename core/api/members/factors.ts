import * as z from 'zod';
import { ServiceError } from '../../errors.ts';
import { memberOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import {
  beginPasskey,
  beginTotp,
  provePasskey,
  proveTotp,
  removeFactor,
  renewRecoveryCodes,
  storeFactor,
} from '../../tenants/members/factors/enrol.ts';
import { factorsOf } from '../../tenants/members/factors/factor-store.ts';
import { passkeyPlace, registration } from '../../tenants/members/factors/passkeys.ts';
import { countCodes } from '../../tenants/members/factors/recovery-codes.ts';
import { openSecret } from '../../tenants/members/factors/show-factor.ts';
import { type ChangeAuthor, memberDid, recordedChange } from '../dashboard/recorded-change.ts';
import { passkeyOptions, personName, totpCode } from '../dashboard/schemas.ts';
import { dateTime, rowIdInPath } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const TAG = 'The second factor';
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const CODES = ['3k8v-01tq-zm5c-9y2d'];
const STALE = {
  description:
    'Enrolment took too long or was replaced by another, the factor already exists, there are too many passkeys, or the ' +
    'member or this address cannot have one.',
};

const added = {
  description: 'Enrolled. The first factor comes with recovery codes, only in this response, and ends all other sessions.',
  schema: z.strictObject({ data: z.strictObject({ recovery_codes: z.array(z.string()).nullable() }) }),
  example: { data: { recovery_codes: CODES } },
};

const list = defineRoute({
  method: 'GET',
  path: '/api/ui/me/factors',
  operationId: 'listMyFactors',
  access: { dashboard: 'self' },
  summary: 'List the second factors of the signed-in member',
  tag: TAG,
  responses: {
    200: {
      description: 'All factors, oldest first, and what else can be enrolled here.',
      schema: z.strictObject({
        data: z.strictObject({
          factors: z.array(
            z.strictObject({
              id: z.int(),
              kind: z.enum(['totp', 'passkey']),
              name: z.string(),
              created_at: dateTime,
              last_used_at: dateTime.nullable(),
            }),
          ),
          recovery_codes_left: z.int().nullable().describe('null: no factor is enrolled'),
          no_passkeys: z
            .enum(['no_https', 'ip_address'])
            .nullable()
            .describe('why browsers cannot create passkeys at `SVC_BASE_URL`'),
        }),
      }),
      example: {
        data: {
          factors: [
            { id: 1, kind: 'totp', name: 'Authenticator app', created_at: '2026-01-15T09:00:00.000Z', last_used_at: null },
          ],
          recovery_codes_left: 10,
          no_passkeys: null,
        },
      },
    },
  },
  async handle(services: ApiServices, { caller }) {
    const rows = await factorsOf(services.db, memberOf(caller).memberId);
    const recovery = rows.find(({ kind }) => kind === 'recovery');
    const place = passkeyPlace(services.baseUrl);
    const factors = rows
      .filter(({ kind }) => kind !== 'recovery')
      .map(({ id, kind, name, created_at, last_used_at }) => ({ id, kind, name, created_at, last_used_at }));
    const left = recovery === undefined ? null : countCodes(openSecret(services, recovery));
    return { body: { data: { factors, recovery_codes_left: left, no_passkeys: 'refused' in place ? place.refused : null } } };
  },
});

const makeTotp = defineRoute({
  method: 'POST',
  path: '/api/ui/me/factors/totp',
  operationId: 'beginTotp',
  access: { dashboard: 'enrol' },
  summary: 'Begin to enrol an authenticator app; needs a fresh confirmation',
  tag: TAG,
  responses: {
    200: {
      description: 'What to enter in the app. It is enrolled when its first code arrives, within ten minutes.',
      schema: z.strictObject({
        data: z.strictObject({
          secret: z.string(),
          uri: z.string(),
          qr: z.array(z.string()).describe('rows of a QR code of the URI; 1 is dark'),
        }),
      }),
      example: {
        data: {
          secret: SECRET,
          uri: `otpauth://totp/svc:ada%40acme.example?issuer=svc&secret=${SECRET}`,
          qr: ['000', '010', '000'],
        },
      },
    },
    409: STALE,
  },
  handle: async (services: ApiServices, { caller }) => ({ body: { data: await beginTotp(services, memberOf(caller)) } }),
});

const confirmTotp = defineRoute({
  method: 'POST',
  path: '/api/ui/me/factors/totp/confirm',
  operationId: 'enrolTotp',
  access: { dashboard: 'self' },
  summary: 'Enrol the authenticator app with its first code',
  tag: TAG,
  body: z.strictObject({ code: totpCode }),
  bodyExample: { code: '287082' },
  responses: { 201: added, 409: STALE },
  async handle(services: ApiServices, { body, ...by }) {
    const member = memberOf(by.caller);
    const proved = await proveTotp(services, member, body.code);
    if (proved === undefined) throw new ServiceError('invalid_login', 'this code is wrong');
    return enrolled(services, by, proved);
  },
});

const makePasskey = defineRoute({
  method: 'POST',
  path: '/api/ui/me/factors/passkeys',
  operationId: 'beginPasskey',
  access: { dashboard: 'enrol' },
  summary: 'Begin to enrol a passkey; needs a fresh confirmation',
  tag: TAG,
  responses: { 200: { ...passkeyOptions, description: 'The options with which the browser creates a passkey.' }, 409: STALE },
  handle: async (services: ApiServices, { caller }) => ({ body: { data: await beginPasskey(services, memberOf(caller)) } }),
});

const confirmPasskey = defineRoute({
  method: 'POST',
  path: '/api/ui/me/factors/passkeys/confirm',
  operationId: 'enrolPasskey',
  access: { dashboard: 'self' },
  summary: 'Enrol the passkey that the browser has created',
  tag: TAG,
  body: z.strictObject({ name: personName, passkey: registration }),
  bodyExample: {
    name: 'Laptop',
    passkey: {
      ...{ id: 'QUJD', rawId: 'QUJD', type: 'public-key', clientExtensionResults: {} },
      response: { clientDataJSON: 'e30', attestationObject: 'oA' },
    },
  },
  responses: { 201: added, 409: STALE },
  async handle(services: ApiServices, { body, ...by }) {
    return enrolled(services, by, await provePasskey(services, memberOf(by.caller), body));
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/api/ui/me/factors/:id',
  operationId: 'removeMyFactor',
  access: { dashboard: 'secure' },
  summary: 'Remove a second factor; needs a fresh confirmation',
  tag: TAG,
  params: z.strictObject({ id: rowIdInPath('the ID of a factor') }),
  responses: {
    204: { description: 'Removed. With the last factor, the recovery codes are removed, too.' },
    404: { description: 'The member has no such factor.' },
  },
  async handle(services: ApiServices, { params, ...by }) {
    const member = memberOf(by.caller);
    await recordedChange(services, by, async (here, record) => {
      const { kind, name } = await removeFactor(here.db, here, member, params.id);
      await record(memberDid('member.factor_remove', member, { factor: kind, name }));
    });
    return { status: 204 };
  },
});

const renew = defineRoute({
  method: 'POST',
  path: '/api/ui/me/recovery-codes',
  operationId: 'makeRecoveryCodes',
  access: { dashboard: 'secure' },
  summary: 'Create ten new recovery codes, which replace the previous ones; needs a fresh confirmation',
  tag: TAG,
  responses: {
    201: {
      description: 'The codes, each of which works once. This is the only response with them.',
      schema: z.strictObject({ data: z.strictObject({ recovery_codes: z.array(z.string()) }) }),
      example: { data: { recovery_codes: CODES } },
    },
    409: { description: 'The member has no second factor.' },
  },
  async handle(services: ApiServices, by) {
    const member = memberOf(by.caller);
    const codes = await recordedChange(services, by, async (here, record) => {
      const made = await renewRecoveryCodes(here.db, services, member);
      await record(memberDid('member.recovery_codes', member));
      return made;
    });
    return { status: 201, body: { data: { recovery_codes: codes } } };
  },
});

export const factorRoutes = [list, makeTotp, confirmTotp, makePasskey, confirmPasskey, remove, renew];

async function enrolled(services: ApiServices, by: ChangeAuthor, proved: Parameters<typeof storeFactor>[3]) {
  const member = memberOf(by.caller);
  const codes = await recordedChange(services, by, async ({ db }, record) => {
    const made = await storeFactor(db, services, member, proved);
    await record(memberDid('member.factor_add', member, { factor: proved.kind, name: proved.name }));
    return made;
  });
  return { status: 201, body: { data: { recovery_codes: codes ?? null } } };
}
