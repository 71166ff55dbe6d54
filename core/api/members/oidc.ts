import * as z from 'zod';
import { withTransaction } from '../../db/transaction.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import { cookieValue, memberTokenFrom, ourCookie } from '../../server/access/cookies.ts';
import { PREFETCHED } from '../../server/prefetch.ts';
import { defineRoute, type Reply } from '../../server/route.ts';
import type { MemberCaller } from '../../tenants/members/caller.ts';
import { deleteMemberSession } from '../../tenants/members/member-session-store.ts';
import { memberOfToken } from '../../tenants/members/member-sessions.ts';
import { type PendingSignIn, pendingSignIn } from '../../tenants/members/oidc.ts';
import { memberOfOidc, type OidcMember } from '../../tenants/members/oidc-member.ts';
import { type Change, memberDid } from '../dashboard/recorded-change.ts';
import type { ApiServices } from '../services.ts';
import { requireEncrypted } from './encrypted.ts';
import { openRecordedSession, signedInReply, visitorOf } from './signing-in.ts';

const TAG = 'Signing in';
const COOKIE = 'svc_oidc';
const MINUTES_SECONDS = 600;
const PLACE = { table: 'oidc', column: 'pending', environmentId: 0, rowId: 0 } as const;

const start = defineRoute({
  method: 'GET',
  path: '/api/ui/oidc/start',
  operationId: 'startOidc',
  access: { dashboard: 'anyone' },
  summary: 'Redirect the browser to the identity provider',
  tag: TAG,
  query: z.strictObject({
    return: z.string().max(2_048).optional().meta({ description: 'path in the dashboard to return to', example: '/e/dev/logs' }),
    anew: z.stringbool().default(false).meta({ description: 'require a new sign-in at the identity provider' }),
  }),
  responses: { 302: { description: 'Redirect to the identity provider, or to the sign-in page, which shows the error.' } },
  async handle(services: ApiServices, { query }) {
    const { oidc, baseUrl } = services;
    requireEncrypted(services);
    if (oidc === undefined) return toSignIn(services, 'oidc_failed');
    try {
      const returnTo = ownPath(query.return, baseUrl);
      const { url, pending } = await oidc.begin({ returnTo, begunAt: services.clock.now(), isAnew: query.anew });
      const cookie = ourCookie({ name: COOKIE, value: seal(services.keys, pending), baseUrl, maxAgeSeconds: MINUTES_SECONDS });
      return { status: 302, headers: { location: url.href, 'set-cookie': cookie } };
    } catch (error) {
      services.log.warn('the sign-in at the identity provider could not be started', { error });
      return toSignIn(services, 'oidc_failed');
    }
  },
});

const finish = defineRoute({
  method: 'GET',
  path: '/api/ui/oidc/callback',
  operationId: 'finishOidc',
  access: { dashboard: 'anyone' },
  hasEffects: true,
  summary: 'URL to which the identity provider redirects the browser',
  tag: TAG,
  query: z.looseObject({}),
  responses: {
    204: PREFETCHED,
    302: { description: 'Redirect to the requested page, or to the sign-in page, which shows the error.' },
  },
  async handle(services: ApiServices, request) {
    const { oidc, keys, baseUrl } = services;
    const pending = unseal(keys, cookieValue(request.headers.cookie, { name: COOKIE, baseUrl }));
    if (oidc === undefined || pending === undefined) return toSignIn(services, 'oidc_failed');
    try {
      const query = new URLSearchParams(request.query as Record<string, string>).toString();
      const { person, isFresh } = await oidc.finish(pending, query);
      if (pending.isAnew && !isFresh) return notAnew(services);
      const visitor = { ...visitorOf(request), isConfirmed: isFresh };
      const signedIn = await withTransaction(services.db, async (trx) => {
        const here = { ...services, db: trx };
        const found = await memberOfOidc(here, oidc.settings, person);
        if (found === undefined) return undefined;
        const opened = await openRecordedSession(here, { ...visitor, ...found, before: (member) => changesOf(member, found) });
        if (opened.member.stage !== 'factor') await endFormerSession(here, found.memberId, request.headers.cookie);
        return opened;
      });
      if (signedIn === undefined) return toSignIn(services, 'oidc_refused');
      const { headers } = await signedInReply(services, signedIn);
      const cookies = [headers?.['set-cookie'] ?? [], noPending(baseUrl)].flat();
      const location =
        signedIn.member.stage === 'factor' ? secondStepAt(baseUrl, pending) : new URL(baseUrl).origin + pending.returnTo;
      return { status: 302, headers: { location, 'set-cookie': cookies } };
    } catch (error) {
      services.log.warn('a sign-in by OpenID Connect failed', { error });
      return toSignIn(services, 'oidc_failed');
    }
  },
});

export const oidcRoutes = [start, finish];

/**
 * Returns the address of the second step. A member with a second factor must show it even after signing in at the identity
 * provider.
 */
function secondStepAt(baseUrl: string, { returnTo }: PendingSignIn): string {
  return `${baseUrl}/login/factor?return=${encodeURIComponent(returnTo)}`;
}

/**
 * Returns the audit entries for changes to the member that the identity provider caused; they precede the entry of the sign-in.
 */
function changesOf(member: MemberCaller, { change }: OidcMember): readonly Change[] {
  if (change === undefined) return [];
  return [
    memberDid(change === 'joined' ? 'member.join' : 'member.update', member, { role: member.role, by: 'identity provider' }),
  ];
}

/** Ends the session whose cookie is about to be replaced, since this browser could neither use nor end it afterwards. */
async function endFormerSession(services: ApiServices, memberId: number, cookies: string | undefined): Promise<void> {
  const token = memberTokenFrom(cookies, services.baseUrl);
  const former = token === undefined ? undefined : await memberOfToken(services, token);
  if (former?.memberId === memberId) await deleteMemberSession(services.db, { memberId, id: former.sessionId });
}

/**
 * Refuses a sign-in that was to confirm the member, but has no recent `auth_time`: otherwise an old session at the identity
 * provider would confirm anybody who uses this browser.
 */
function notAnew(services: ApiServices): Reply {
  services.log.warn('the identity provider did not confirm a new sign-in: auth_time is missing or too old');
  return toSignIn(services, 'oidc_not_anew');
}

function toSignIn({ baseUrl }: ApiServices, problem: 'oidc_failed' | 'oidc_not_anew' | 'oidc_refused'): Reply {
  return { status: 302, headers: { location: `${baseUrl}/login?problem=${problem}`, 'set-cookie': noPending(baseUrl) } };
}

function noPending(baseUrl: string): string {
  return ourCookie({ name: COOKIE, value: '', baseUrl, maxAgeSeconds: 0 });
}

/**
 * Returns the path to return to after a sign-in. Only paths of this service are accepted, so that no link can send members
 * elsewhere; `/.//other.example` is refused, because it is normalized to `//other.example`, which is another host.
 */
function ownPath(wanted: string | undefined, baseUrl: string): string {
  const own = new URL(baseUrl);
  const url = wanted?.startsWith('/') ? URL.parse(wanted, baseUrl) : null;
  const isOwn = url?.origin === own.origin && !url.pathname.startsWith('//');
  return isOwn ? `${url.pathname}${url.search}` : own.pathname;
}

function seal(keys: KeyRing, pending: PendingSignIn): string {
  return keys.encrypt(JSON.stringify(pending), PLACE).toString('base64url');
}

function unseal(keys: KeyRing, text: string | undefined): PendingSignIn | undefined {
  if (text === undefined) return undefined;
  try {
    return pendingSignIn.parse(JSON.parse(keys.decrypt(Buffer.from(text, 'base64url'), PLACE)));
  } catch {
    return undefined;
  }
}
