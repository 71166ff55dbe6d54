import * as z from 'zod';
import { ServiceError } from '../../errors.ts';
import { recordAudit } from '../../journal/audit-trail/record.ts';
import { memberOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { deleteMemberSession, liveSessionsOf } from '../../tenants/members/member-session-store.ts';
import { PERMISSIONS, requirePermission } from '../../tenants/members/permissions.ts';
import { confirmFactor, confirmPassword, exchangePassword, storePassword } from '../../tenants/members/sign-in.ts';
import { auditContext } from '../audit-context.ts';
import { memberDid, recordedChange, recoveryCodeUsed } from '../dashboard/recorded-change.ts';
import { meResponse, passwordText, shownFactor } from '../dashboard/schemas.ts';
import { dateTime, rowIdInPath } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { meRecord } from './signing-in.ts';

const TAG = 'The person signed in';

const readMe = defineRoute({
  method: 'GET',
  path: '/api/ui/me',
  operationId: 'getMe',
  access: { dashboard: 'self' },
  summary: 'Get the signed-in member',
  tag: TAG,
  responses: { 200: meResponse },
  handle: async (services: ApiServices, { caller }) => ({ body: { data: await meRecord(services, memberOf(caller)) } }),
});

const confirm = defineRoute({
  method: 'POST',
  path: '/api/ui/me/confirm',
  operationId: 'confirmMe',
  access: { dashboard: 'self' },
  summary: 'Confirm with the password or a second factor, which opens access to secrets for ten minutes',
  tag: TAG,
  body: z.union([z.strictObject({ password: passwordText }), ...shownFactor]),
  bodyExample: { password: 'correct horse battery' },
  responses: {
    200: {
      description: 'Confirmed.',
      schema: z.strictObject({ data: z.strictObject({ confirmed_until: dateTime }) }),
      example: { data: { confirmed_until: '2026-01-15T10:10:00.000Z' } },
    },
    409: { description: 'The password is not enough for a member who has a second factor.' },
  },
  async handle(services: ApiServices, { body, ...by }) {
    const member = memberOf(by.caller);
    if ('password' in body) return confirmed(await confirmPassword(services, member, body));
    const until = await confirmFactor(services, member, {
      shown: body,
      async record(trx, factor) {
        for (const entry of recoveryCodeUsed(member, factor))
          await recordAudit({ ...services, db: trx }, { ...auditContext(by), ...entry });
      },
    });
    return confirmed(until);
  },
});

const setPassword = defineRoute({
  method: 'PUT',
  path: '/api/ui/me/password',
  operationId: 'changeMyPassword',
  access: { dashboard: 'read' },
  summary: 'Change the password, which ends all other sessions; with a second factor, it needs a fresh confirmation',
  tag: TAG,
  body: z.strictObject({ current: passwordText, password: passwordText }),
  bodyExample: { current: 'correct horse battery', password: 'another horse battery' },
  responses: { 204: { description: 'Changed.' } },
  async handle(services: ApiServices, request) {
    const member = memberOf(request.caller);
    if (member.hasFactor) requirePermission(member, PERMISSIONS.secure, { isProduction: false });
    const exchanged = await exchangePassword(services, member, request.body);
    await recordedChange(services, request, async (here, record) => {
      await storePassword(here, member, exchanged);
      await record(memberDid('member.password_change', member));
    });
    return { status: 204 };
  },
});

const session = z.strictObject({
  id: z.int(),
  created_at: dateTime,
  last_seen_at: dateTime,
  address: z.string(),
  user_agent: z.string(),
  is_current: z.boolean(),
});

const listSessions = defineRoute({
  method: 'GET',
  path: '/api/ui/me/sessions',
  operationId: 'listMySessions',
  access: { dashboard: 'read' },
  summary: 'List the sessions of the signed-in member',
  tag: TAG,
  responses: {
    200: {
      description: 'All live sessions, most recently used first.',
      schema: z.strictObject({ data: z.array(session) }),
      example: {
        data: [
          {
            id: 1,
            created_at: '2026-01-15T09:00:00.000Z',
            last_seen_at: '2026-01-15T10:00:00.000Z',
            address: '192.0.2.1',
            user_agent: 'Mozilla/5.0',
            is_current: true,
          },
        ],
      },
    },
  },
  async handle(services: ApiServices, { caller }) {
    const { memberId, sessionId } = memberOf(caller);
    const sessions = await liveSessionsOf(services.db, memberId, services.clock.now());
    return { body: { data: sessions.map((one) => ({ ...one, is_current: one.id === sessionId })) } };
  },
});

const endSession = defineRoute({
  method: 'DELETE',
  path: '/api/ui/me/sessions/:id',
  operationId: 'endMySession',
  access: { dashboard: 'read' },
  summary: 'End a session of the signed-in member',
  tag: TAG,
  params: z.strictObject({ id: rowIdInPath('the ID of a session') }),
  responses: { 204: { description: 'The session has ended.' }, 404: { description: 'The member has no such session.' } },
  async handle(services: ApiServices, { params, ...by }) {
    const { memberId } = memberOf(by.caller);
    await recordedChange(services, by, async ({ db }, record) => {
      if (!(await deleteMemberSession(db, { memberId, id: params.id })))
        throw new ServiceError('not_found', 'there is no such session');
      await record(memberDid('member.sign_out', memberOf(by.caller)));
    });
    return { status: 204 };
  },
});

export const meRoutes = [readMe, confirm, setPassword, listSessions, endSession];

function confirmed(until: Date) {
  return { body: { data: { confirmed_until: until } } };
}
