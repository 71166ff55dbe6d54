import * as z from 'zod';
import { ServiceError } from '../../errors.ts';
import { memberOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import type { MemberCaller } from '../../tenants/members/caller.ts';
import { email } from '../../tenants/members/email.ts';
import { deleteInvitations, invitationsOf } from '../../tenants/members/member-link-store.ts';
import { makePasswordToken } from '../../tenants/members/member-links.ts';
import { memberById, membersOf } from '../../tenants/members/member-store.ts';
import { changeRole, invite, removeMember } from '../../tenants/members/people.ts';
import { PERMISSIONS, type Role, requirePermission } from '../../tenants/members/permissions.ts';
import { recordedChange } from '../dashboard/recorded-change.ts';
import { ME, pathId, role } from '../dashboard/schemas.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const TAG = 'Account';
const ofMember = z.strictObject({ id: pathId });
const NO_MEMBER = { description: 'The account has no such member.' };
const LAST_ADMIN = { description: 'This is the last admin.' };
const NOT_CHANGEABLE = { description: 'This is the last admin, or the member was changed in the database by something else.' };
const LINK = 'https://svc.acme.example/join#token=Jx2q3v';

const members = z.strictObject({
  members: z.array(
    z.strictObject({
      id: z.int(),
      name: z.string(),
      email: z.string(),
      role,
      has_password: z.boolean(),
      has_sso: z.boolean(),
      has_factor: z.boolean(),
      created_at: dateTime,
    }),
  ),
  invitations: z.array(z.strictObject({ email: z.string(), role, expires_at: dateTime })),
});

const list = defineRoute({
  method: 'GET',
  path: '/api/ui/account/members',
  operationId: 'listMembers',
  access: { dashboard: 'administer' },
  summary: 'List the members and open invitations of the account',
  tag: TAG,
  responses: {
    200: {
      description: 'All members, oldest first, and the invitations that can still be used.',
      schema: z.strictObject({ data: members }),
      example: {
        data: {
          members: [
            {
              id: 1,
              name: ME.name,
              email: ME.email,
              role: 'admin',
              has_password: true,
              has_sso: false,
              has_factor: true,
              created_at: '2026-01-15T09:00:00.000Z',
            },
          ],
          invitations: [{ email: 'grace@acme.example', role: 'developer', expires_at: '2026-01-22T09:00:00.000Z' }],
        },
      },
    },
  },
  async handle({ db, clock }: ApiServices, { caller }) {
    const { accountId } = memberOf(caller);
    const people = await membersOf(db, accountId);
    const invitations = await invitationsOf(db, accountId, clock.now());
    return {
      body: {
        data: {
          members: people.map((one) => ({
            id: one.id,
            name: one.name,
            email: one.email,
            role: one.role,
            has_password: one.password !== null,
            has_sso: one.oidc_subject !== null,
            has_factor: one.has_factor,
            created_at: one.created_at,
          })),
          invitations: invitations.map((one) => ({ email: one.email, role: one.role, expires_at: one.expires_at })),
        },
      },
    };
  },
});

const link = {
  description: 'The link, which works once. This is the only response with it.',
  schema: z.strictObject({ data: z.strictObject({ link: z.string() }) }),
  example: { data: { link: LINK } },
};

const sendInvitation = defineRoute({
  method: 'POST',
  path: '/api/ui/account/invitations',
  operationId: 'inviteMember',
  access: { dashboard: 'administer' },
  summary: 'Create a link with which somebody becomes a member within a week; for an admin, it needs a fresh confirmation',
  tag: TAG,
  body: z.strictObject({ email, role }),
  bodyExample: { email: 'grace@acme.example', role: 'developer' },
  responses: { 201: link, 409: { description: 'There is already a member with this e-mail address.' } },
  async handle(services: ApiServices, { body, ...by }) {
    const { accountId } = memberOf(by.caller);
    requireGoverning(memberOf(by.caller), body.role);
    const { token } = await recordedChange(services, by, async (here, record) => {
      const made = await invite(here, { accountId, ...body });
      await record({ action: 'member.invite', subject: { type: 'member', name: body.email }, facts: { role: body.role } });
      return made;
    });
    return { status: 201, body: { data: { link: joinLink(services, token) } } };
  },
});

const withdraw = defineRoute({
  method: 'DELETE',
  path: '/api/ui/account/invitations/:email',
  operationId: 'withdrawInvitation',
  access: { dashboard: 'administer' },
  summary: 'Withdraw an invitation',
  tag: TAG,
  params: z.strictObject({
    email: z.string().min(1).max(255).meta({ description: 'invited e-mail address', example: ME.email }),
  }),
  responses: {
    204: { description: 'The link no longer works.' },
    404: { description: 'There is no invitation for this e-mail address.' },
  },
  async handle(services: ApiServices, { params, ...by }) {
    const { accountId } = memberOf(by.caller);
    await recordedChange(services, by, async ({ db }, record) => {
      if (!(await deleteInvitations(db, { accountId, email: params.email })))
        throw new ServiceError('not_found', 'there is no invitation for this e-mail address');
      await record({ action: 'member.uninvite', subject: { type: 'member', name: params.email } });
    });
    return { status: 204 };
  },
});

const change = defineRoute({
  method: 'PATCH',
  path: '/api/ui/account/members/:id',
  operationId: 'changeMember',
  access: { dashboard: 'administer' },
  summary: 'Change the role of a member, which ends the member’s sessions; creating an admin needs a fresh confirmation',
  tag: TAG,
  params: ofMember,
  body: z.strictObject({ role }),
  bodyExample: { role: 'viewer' },
  responses: { 204: { description: 'Changed, with immediate effect.' }, 404: NO_MEMBER, 409: NOT_CHANGEABLE },
  async handle(services: ApiServices, { params, body, ...by }) {
    const { accountId } = memberOf(by.caller);
    requireGoverning(memberOf(by.caller), body.role);
    await recordedChange(services, by, async (here, record) => {
      const member = await changeRole(here, { accountId, id: params.id }, body.role);
      await record({ action: 'member.update', subject: subjectOf(member), facts: { role: body.role } });
    });
    return { status: 204 };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/api/ui/account/members/:id',
  operationId: 'removeMember',
  access: { dashboard: 'administer' },
  summary: 'Remove a member and end the member’s sessions',
  tag: TAG,
  params: ofMember,
  responses: { 204: { description: 'Removed, with immediate effect.' }, 404: NO_MEMBER, 409: LAST_ADMIN },
  async handle(services: ApiServices, { params, ...by }) {
    await recordedChange(services, by, async (here, record) => {
      const member = await removeMember(here, { accountId: memberOf(by.caller).accountId, id: params.id });
      await record({ action: 'member.remove', subject: subjectOf(member) });
    });
    return { status: 204 };
  },
});

const passwordLink = defineRoute({
  method: 'POST',
  path: '/api/ui/account/members/:id/password-link',
  operationId: 'makePasswordLink',
  access: { dashboard: 'govern' },
  summary: 'Create a link with which a member chooses a new password within a day; needs a fresh confirmation',
  tag: TAG,
  params: ofMember,
  responses: { 201: link, 404: NO_MEMBER },
  async handle(services: ApiServices, { params, ...by }) {
    const { accountId } = memberOf(by.caller);
    const token = await recordedChange(services, by, async (here, record) => {
      const member = await memberById(here, accountId, params.id);
      if (member === undefined) throw new ServiceError('not_found', 'there is no such member');
      const made = await makePasswordToken(here, { accountId, memberId: member.id });
      await record({ action: 'member.password_link', subject: subjectOf(member) });
      return made;
    });
    return { status: 201, body: { data: { link: joinLink(services, token) } } };
  },
});

export const memberRoutes = [list, sendInvitation, withdraw, change, remove, passwordLink];

function subjectOf({ id, email: name }: { readonly id: number; readonly email: string }) {
  return { type: 'member', id: String(id), name } as const;
}

function joinLink({ baseUrl }: { readonly baseUrl: string }, token: string): string {
  return `${baseUrl}/join#token=${token}`;
}

function requireGoverning(by: MemberCaller, wanted: Role): void {
  if (wanted === 'admin') requirePermission(by, PERMISSIONS.govern, { isProduction: false });
}
