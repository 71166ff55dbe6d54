import type { Knex } from 'knex';
import { recordAudit } from '../../journal/audit-trail/record.ts';
import { cookieValue, memberCookie, ourCookie } from '../../server/access/cookies.ts';
import { networkOf } from '../../server/client-address.ts';
import type { Reply, RouteRequest } from '../../server/route.ts';
import { environmentsOf } from '../../tenants/environments/environment-store.ts';
import type { MemberCaller } from '../../tenants/members/caller.ts';
import { DEVICE_SECONDS, type Device, readDevice, sealDevice } from '../../tenants/members/device.ts';
import { factorsOf } from '../../tenants/members/factors/factor-store.ts';
import { passkeyPlace } from '../../tenants/members/factors/passkeys.ts';
import {
  memberOfToken,
  type OpenedSession,
  openMemberSession,
  type SessionOptions,
  type Visitor,
} from '../../tenants/members/member-sessions.ts';
import { auditContext } from '../audit-context.ts';
import { type Change, memberDid } from '../dashboard/recorded-change.ts';
import { degradedCause } from '../health.ts';
import type { ApiServices } from '../services.ts';

const DEVICE = 'svc_device';

/** Returns who tries to sign in, as far as a request shows: address, network and browser. */
export function visitorOf({
  address,
  headers,
}: Pick<RouteRequest<unknown, unknown, unknown>, 'address' | 'headers'>): Visitor & { readonly network: string } {
  return { address, network: networkOf(address), userAgent: headers['user-agent'] ?? '' };
}

/** Reads the cookie which proves that a member has signed in with this browser before; undefined without a valid one. */
export function deviceIn(
  { keys, clock, baseUrl }: ApiServices,
  { cookie }: RouteRequest<unknown, unknown, unknown>['headers'],
): Device | undefined {
  return readDevice(keys, cookieValue(cookie, { name: DEVICE, baseUrl }), clock.now());
}

interface SessionStart extends Visitor, SessionOptions {
  readonly memberId: number;
  /** Returns the audit entries of what happened before the sign-in. Default: none. */
  readonly before?: ((member: MemberCaller) => readonly Change[]) | undefined;
}

interface SignedIn {
  readonly member: MemberCaller;
  readonly session: OpenedSession;
}

/** The services, with a transaction as `db`. */
type SigningInServices = ApiServices & { readonly db: Knex.Transaction };

/** Opens a session, and records the sign-in and what happened before it. Must be called last in the transaction. */
export async function openRecordedSession(
  here: SigningInServices,
  { memberId, before, ...visitor }: SessionStart,
): Promise<SignedIn> {
  const session = await openMemberSession(here, memberId, visitor);
  return recordSignIn(here, session, { address: visitor.address, before });
}

interface ToRecord extends Pick<SessionStart, 'address' | 'before'> {
  readonly facts?: Change['facts'];
}

/**
 * Records a sign-in. A member whose second factor is outstanding has not signed in yet, so only the entries of `before` are
 * recorded.
 */
export async function recordSignIn(
  here: SigningInServices,
  session: OpenedSession,
  { address, before = () => [], facts }: ToRecord,
): Promise<SignedIn> {
  const member = await memberOfToken(here, session.token);
  if (member === undefined) throw new Error('the session that was just opened does not exist');
  const context = auditContext({ caller: member, address });
  const signIn = member.stage === 'factor' ? [] : [memberDid('member.sign_in', member, facts)];
  for (const entry of [...before(member), ...signIn]) await recordAudit(here, { ...context, ...entry });
  return { member, session };
}

/** Returns the response to a sign-in. @param status the response's status, unless the second factor is outstanding */
export async function signedInReply(services: ApiServices, { member, session }: SignedIn, status = 200): Promise<Reply> {
  const { token, maxAgeSeconds } = session;
  const { baseUrl, keys, clock } = services;
  if (member.stage === 'factor') {
    const headers = { 'set-cookie': memberCookie(token, { baseUrl, maxAgeSeconds }) };
    return { status: 202, headers, body: { data: await secondStepRecord(services, member) } };
  }
  const device = sealDevice(keys, member.memberId, clock.now());
  const cookies = [
    memberCookie(token, { baseUrl, maxAgeSeconds }),
    ourCookie({ name: DEVICE, value: device, baseUrl, maxAgeSeconds: DEVICE_SECONDS }),
  ];
  return { status, headers: { 'set-cookie': cookies }, body: { data: await meRecord(services, member) } };
}

export async function secondStepRecord(services: ApiServices, member: MemberCaller) {
  return { awaits: 'factor', email: member.email, factor_kinds: await factorKinds(services, member) } as const;
}

/**
 * Returns the kinds of second factors that the member can use now. Passkeys are left out if browsers do not offer them at the
 * service's present address, which may have changed since they were registered.
 */
async function factorKinds({ db, baseUrl }: ApiServices, { memberId }: MemberCaller) {
  const kinds = new Set((await factorsOf(db, memberId)).map(({ kind }) => kind));
  const offered = 'refused' in passkeyPlace(baseUrl) ? (['totp'] as const) : (['totp', 'passkey'] as const);
  return offered.filter((kind) => kinds.has(kind));
}

export async function meRecord(services: ApiServices, member: MemberCaller) {
  const { db, version, baseUrl, logRetentionDays, readiness } = services;
  const environments = await environmentsOf(db, member.accountId);
  return {
    id: member.memberId,
    name: member.name,
    email: member.email,
    role: member.role,
    has_password: member.hasPassword,
    factor_kinds: member.hasFactor ? await factorKinds(services, member) : null,
    must_enrol: member.stage === 'enrolment',
    confirmed_until: member.confirmedUntil,
    environments: environments.map(({ name, isProduction }) => ({ name, is_production: isProduction })),
    version,
    base_url: baseUrl,
    log_retention_days: logRetentionDays,
    degraded: degradedCause(await readiness()) ?? null,
  };
}
