import { recordAudit } from '../../audit/record.ts';
import { environmentsOf } from '../../environments/environment-store.ts';
import { networkOf } from '../../http/client-address.ts';
import { memberCookie } from '../../http/member-cookie.ts';
import type { Reply, RouteRequest } from '../../http/route.ts';
import type { MemberCaller } from '../../members/caller.ts';
import {
  invalidLogin,
  memberOfToken,
  type OpenedSession,
  openMemberSession,
  type Visitor,
} from '../../members/member-sessions.ts';
import { auditContext } from '../audit-context.ts';
import { memberDid } from './recorded-change.ts';
import type { DashboardServices } from './services.ts';

/** Who tries to sign in, and from where. */
export function visitorOf({
  address,
  headers,
}: Pick<RouteRequest<unknown, unknown, unknown>, 'address' | 'headers'>): Visitor & { readonly network: string } {
  return { address, network: networkOf(address), userAgent: headers['user-agent'] ?? '' };
}

/** The response that signs in somebody who has used a one-time link. */
export async function signedIn(services: DashboardServices, memberId: number, visitor: Visitor): Promise<Reply> {
  return withSession(services, await openMemberSession(services, memberId, visitor), { ...visitor, action: 'member.join' });
}

export async function withSession(
  services: DashboardServices,
  { token, maxAgeSeconds }: OpenedSession,
  { address, action = 'member.sign_in' }: Pick<Visitor, 'address'> & { readonly action?: 'member.join' | 'member.sign_in' },
): Promise<Reply> {
  const member = await memberOfToken(services, token);
  if (member === undefined) throw invalidLogin(); // It has been ended already, by a new password or a removal.
  await recordAudit(services, { ...auditContext({ caller: member, address }), ...memberDid(action, member) });
  const cookie = memberCookie(token, { baseUrl: services.baseUrl, maxAgeSeconds });
  return { status: 200, headers: { 'set-cookie': cookie }, body: { data: await meRecord(services, member) } };
}

export async function meRecord({ db, version, baseUrl, logRetentionDays }: DashboardServices, member: MemberCaller) {
  const environments = await environmentsOf(db, member.accountId);
  return {
    id: member.memberId,
    name: member.name,
    email: member.email,
    role: member.role,
    has_password: member.hasPassword,
    confirmed_until: member.confirmedUntil,
    environments: environments.map(({ name, isProduction }) => ({ name, is_production: isProduction })),
    version,
    base_url: baseUrl,
    log_retention_days: logRetentionDays,
  };
}
