import type { Knex } from 'knex';
import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../kit/clock.ts';
import { hashSecret, newSecret } from '../../kit/random-id.ts';
import type { MemberCaller } from './caller.ts';
import type { MembersDeps } from './deps.ts';
import { type FactorRules, mustEnrol } from './factors/required.ts';
import {
  confirmMemberSession,
  insertMemberSession,
  memberSessionByHash,
  passMemberSession,
  touchMemberSession,
} from './member-session-store.ts';

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Lifetimes of sessions. `kept` applies when the person asked to stay signed in. */
const LIFETIMES = {
  normal: { idleSeconds: 12 * HOUR_SECONDS, lifetimeSeconds: 7 * DAY_SECONDS },
  kept: { idleSeconds: 30 * DAY_SECONDS, lifetimeSeconds: 30 * DAY_SECONDS },
} as const;
/** How long a password or a second factor counts as a fresh confirmation. */
const CONFIRMED_MS = 10 * 60_000;
/** `last_seen_at` is written at most once in this time, regardless of the number of requests. */
const TOUCH_AFTER_MS = 60_000;
const MAX_USER_AGENT = 255;

/** The browser that signs in, and its address. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
}

export interface SessionOptions {
  /** True if the person asked to stay signed in. Default: false. */
  readonly isKept?: boolean | undefined;
  /** True if the person has just shown who they are; false if they were only recognized by an existing sign-in. Default: true. */
  readonly isConfirmed?: boolean | undefined;
  /** The stored form of the password that was verified. If the member has another password by now, no session is opened. */
  readonly password?: string | undefined;
}

export interface OpenedSession {
  /** The value of the cookie; only its hash is stored. */
  readonly token: string;
  /** Undefined for a cookie that ends with the browser. */
  readonly maxAgeSeconds: number | undefined;
}

/**
 * Opens a session with a new token, so that a token that somebody planted in the browser before is worthless afterwards.
 *
 * @throws ServiceError `invalid_login` when the member has been removed or has another password
 */
export async function openMemberSession(
  deps: MembersDeps,
  memberId: number,
  { isKept = false, isConfirmed = true, password, ...visitor }: Visitor & SessionOptions,
): Promise<OpenedSession> {
  const now = deps.clock.now();
  const token = newSecret();
  const { idleSeconds, lifetimeSeconds } = LIFETIMES[isKept ? 'kept' : 'normal'];
  const session = {
    member_id: memberId,
    token_hash: hashSecret(token),
    address: visitor.address,
    user_agent: visitor.userAgent.slice(0, MAX_USER_AGENT),
    created_at: now,
    last_seen_at: now,
    idle_seconds: idleSeconds,
    expires_at: new Date(now.getTime() + lifetimeSeconds * 1_000),
    confirmed_until: isConfirmed ? new Date(now.getTime() + CONFIRMED_MS) : null,
  };
  if (!(await insertMemberSession(deps, session, password))) throw invalidLogin();
  return { token, maxAgeSeconds: isKept ? lifetimeSeconds : undefined };
}

/** Returns the member whose live session has this token; undefined if there is none. */
export async function memberOfToken(deps: MembersDeps & FactorRules, token: string): Promise<MemberCaller | undefined> {
  const now = deps.clock.now();
  const found = await memberSessionByHash(deps, hashSecret(token), now);
  if (found === undefined) return undefined;
  if (now.getTime() - found.last_seen_at.getTime() > TOUCH_AFTER_MS) await touchMemberSession(deps.db, found.session_id, now);
  const person = { role: found.role, hasPassword: found.password !== null, hasFactor: found.has_factor };
  return {
    kind: 'member',
    ...person,
    stage: found.awaits_factor ? 'factor' : mustEnrol(deps, person) ? 'enrolment' : 'in',
    memberId: found.member_id,
    accountId: found.account_id,
    sessionId: found.session_id,
    name: found.name,
    email: found.email,
    confirmedUntil: found.confirmed_until !== null && found.confirmed_until > now ? found.confirmed_until : null,
  };
}

/**
 * Completes a session after the second factor was shown. The session gets a new token, as every newly opened one does.
 *
 * @throws ServiceError `conflict` when the session does not await a factor any more
 */
export async function passSession(
  deps: MembersDeps,
  { sessionId, memberId }: Pick<MemberCaller, 'sessionId' | 'memberId'>,
): Promise<OpenedSession> {
  const token = newSecret();
  const confirmedUntil = new Date(deps.clock.now().getTime() + CONFIRMED_MS);
  const passed = { id: sessionId, member_id: memberId, token_hash: hashSecret(token), confirmed_until: confirmedUntil };
  const idleSeconds = await passMemberSession(deps, passed);
  if (idleSeconds === undefined) throw new ServiceError('conflict', 'this sign-in has expired or was completed: sign in again');
  const isKept = idleSeconds === LIFETIMES.kept.idleSeconds;
  return { token, maxAgeSeconds: isKept ? LIFETIMES.kept.lifetimeSeconds : undefined };
}

/**
 * Records that the person has just entered the password or shown a second factor.
 *
 * @returns the time until which this confirmation is valid
 */
export async function markConfirmed(
  { db, clock }: { readonly db: Knex; readonly clock: Clock },
  sessionId: number,
): Promise<Date> {
  const until = new Date(clock.now().getTime() + CONFIRMED_MS);
  await confirmMemberSession(db, sessionId, until);
  return until;
}

/** Returns the same error whether the e-mail or the password is wrong, so that it does not reveal who is a member. */
export function invalidLogin(): ServiceError {
  return new ServiceError('invalid_login', 'the e-mail address or the password is wrong');
}
