import * as z from 'zod';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import { memberOf } from '../../server/access/caller.ts';
import { noMemberCookie } from '../../server/access/cookies.ts';
import { defineRoute } from '../../server/route.ts';
import type { MemberCaller } from '../../tenants/members/caller.ts';
import { email } from '../../tenants/members/email.ts';
import { hasMemberLink } from '../../tenants/members/member-link-store.ts';
import { choosePassword } from '../../tenants/members/member-links.ts';
import { deleteMemberSession } from '../../tenants/members/member-session-store.ts';
import { claim, needsSetup } from '../../tenants/members/setup.ts';
import { requireMember } from '../../tenants/members/sign-in.ts';
import { environmentCreated, memberDid, recordedChange } from '../dashboard/recorded-change.ts';
import { linkToken, ME, meResponse, passwordText, personName, secondStep } from '../dashboard/schemas.ts';
import type { ApiServices } from '../services.ts';
import { requireEncrypted } from './encrypted.ts';
import { deviceIn, openRecordedSession, signedInReply, visitorOf } from './signing-in.ts';

const TAG = 'Signing in';
const PASSWORD = 'correct horse battery';

const readSetup = defineRoute({
  method: 'GET',
  path: '/api/ui/setup',
  operationId: 'getSetup',
  access: { dashboard: 'anyone' },
  summary: 'Get the ways to sign in to this instance',
  tag: TAG,
  responses: {
    200: {
      description: 'What the sign-in pages show.',
      schema: z.strictObject({
        data: z.strictObject({
          needed: z.boolean().describe('true: there is no admin yet'),
          has_setup_link: z.boolean().describe('true: a valid setup link exists, of this or another account'),
          password: z.boolean(),
          oidc: z.strictObject({ name: z.string() }).nullable(),
          insecure: z.boolean().describe('true: `SVC_BASE_URL` is plain http, so sign-in is refused'),
        }),
      }),
      example: { data: { needed: true, has_setup_link: true, password: true, oidc: null, insecure: false } },
    },
  },
  async handle(services: ApiServices) {
    const { takesPasswords: password, mayUseHttp } = services;
    const oidc = services.oidc === undefined ? null : { name: services.oidc.settings.name };
    const needed = await needsSetup(services);
    const hasSetupLink = await hasMemberLink(services.db, { kind: 'setup', now: services.clock.now() });
    return { body: { data: { needed, has_setup_link: hasSetupLink, password, oidc, insecure: !mayUseHttp } } };
  },
});

const setUp = defineRoute({
  method: 'POST',
  path: '/api/ui/setup',
  operationId: 'setUp',
  access: { dashboard: 'anyone' },
  summary: 'Create the first admin',
  tag: TAG,
  body: z.strictObject({ token: linkToken, name: personName, email, password: passwordText }),
  bodyExample: { token: 'Jx2q3v', name: ME.name, email: ME.email, password: PASSWORD },
  responses: { 201: meResponse, 409: { description: 'The instance has already been set up.' } },
  async handle(services: ApiServices, request) {
    requirePasswords(services);
    const visitor = visitorOf(request);
    const signedIn = await claim(services, request.body, (trx, { memberId, production }) => {
      const made = production === undefined ? [] : [environmentCreated(production)];
      const before = (member: MemberCaller) => [memberDid('member.join', member), ...made];
      return openRecordedSession({ ...services, db: trx }, { ...visitor, memberId, before });
    });
    if (signedIn === undefined) throw new ServiceError('invalid_login', 'this setup token is wrong');
    return signedInReply(services, signedIn, 201);
  },
});

const logIn = defineRoute({
  method: 'POST',
  path: '/api/ui/login',
  operationId: 'logIn',
  access: { dashboard: 'anyone' },
  summary: 'Sign in with e-mail and password',
  tag: TAG,
  body: z.strictObject({ email, password: passwordText, keep: z.boolean().optional().describe('stay signed in for 30 days') }),
  bodyExample: { email: ME.email, password: PASSWORD, keep: false },
  responses: { 200: meResponse, 202: secondStep },
  async handle(services: ApiServices, request) {
    requirePasswords(services);
    const { keep, ...entered } = request.body;
    const visitor = visitorOf(request);
    const verified = await requireMember(services, entered, { ...visitor, device: deviceIn(services, request.headers) });
    const signedIn = await withTransaction(services.db, (trx) =>
      openRecordedSession({ ...services, db: trx }, { ...visitor, ...verified, isKept: keep }),
    );
    return signedInReply(services, signedIn);
  },
});

const join = defineRoute({
  method: 'POST',
  path: '/api/ui/join',
  operationId: 'joinByLink',
  access: { dashboard: 'anyone' },
  summary: 'Choose a password with a one-time link',
  tag: TAG,
  body: z.strictObject({ token: linkToken, name: personName.optional(), password: passwordText }),
  bodyExample: { token: 'Jx2q3v', name: ME.name, password: PASSWORD },
  responses: { 200: meResponse, 202: secondStep, 409: { description: 'The e-mail address now belongs to another member.' } },
  async handle(services: ApiServices, request) {
    requirePasswords(services);
    const visitor = visitorOf(request);
    const signedIn = await choosePassword(services, request.body, (trx, { memberId, isNew }) => {
      const before = (member: MemberCaller) => [memberDid(isNew ? 'member.join' : 'member.password_change', member)];
      return openRecordedSession({ ...services, db: trx }, { ...visitor, memberId, before });
    });
    if (signedIn === undefined) throw new ServiceError('invalid_login', 'this link has been used or has expired');
    return signedInReply(services, signedIn);
  },
});

const logOut = defineRoute({
  method: 'POST',
  path: '/api/ui/logout',
  operationId: 'logOut',
  access: { dashboard: 'enter' },
  summary: 'Sign out',
  tag: TAG,
  responses: { 204: { description: 'The session has ended.' } },
  async handle(services: ApiServices, by) {
    const member = memberOf(by.caller);
    await recordedChange(services, by, async ({ db }, record) => {
      await deleteMemberSession(db, { memberId: member.memberId, id: member.sessionId });
      // No sign-out is recorded for a member whose second factor is outstanding, since no sign-in was.
      if (member.stage !== 'factor') await record(memberDid('member.sign_out', member));
    });
    return { status: 204, headers: { 'set-cookie': noMemberCookie(services.baseUrl) } };
  },
});

export const signInRoutes = [readSetup, setUp, logIn, join, logOut];

/** Refuses a request if members may not sign in with passwords. @throws ServiceError `forbidden` */
function requirePasswords(services: ApiServices): void {
  requireEncrypted(services);
  const { takesPasswords, oidc } = services;
  if (!takesPasswords)
    throw new ServiceError('forbidden', `signing in with a password is disabled: sign in with ${oidc?.settings.name}`);
}
