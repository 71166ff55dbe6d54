import type { Knex } from 'knex';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import { type Limit, limitAttempts, limitOfMember, limitsAtSignIn, type SigningIn } from './attempts.ts';
import type { MemberCaller } from './caller.ts';
import type { MembersDeps } from './deps.ts';
import type { FactorDeps } from './factors/deps.ts';
import { factorsOf } from './factors/factor-store.ts';
import { type FactorProof, type ShownFactor, showFactor } from './factors/show-factor.ts';
import { deleteMemberLinks } from './member-link-store.ts';
import { deleteSessionsOf, hasMemberSession } from './member-session-store.ts';
import { invalidLogin, markConfirmed } from './member-sessions.ts';
import { memberByEmail, updateMember } from './member-store.ts';
import { checkNewPassword, hashPassword, verifyPassword } from './password.ts';

interface EnteredPassword {
  /** Normalized as by `email.ts`. */
  readonly email: string;
  readonly password: string;
}

interface VerifiedMember {
  readonly memberId: number;
  /** The stored form of the password. */
  readonly password: string | undefined;
}

/**
 * Returns the member who has this e-mail and password.
 *
 * @throws ServiceError `invalid_login` if they do not fit, `too_many_request` after too many attempts
 */
export async function requireMember(
  deps: MembersDeps,
  { email, password }: EnteredPassword,
  { network, device }: Pick<SigningIn, 'network' | 'device'>,
): Promise<VerifiedMember> {
  const found = await memberByEmail(deps, email);
  const limits = limitsAtSignIn('password', { email, memberId: found?.id, network, device });
  const member = await limitAttempts(deps, limits, async () =>
    (await verifyPassword(password, found?.password)) ? found : undefined,
  );
  if (member === undefined) throw invalidLogin();
  return { memberId: member.id, password: member.password ?? undefined };
}

/**
 * Confirms a signed-in member by their password.
 *
 * @returns the time until which the confirmation is valid
 * @throws ServiceError as `requireMember`; `conflict` for a member who has a second factor
 */
export async function confirmPassword(
  deps: MembersDeps,
  member: MemberCaller,
  { password }: Pick<EnteredPassword, 'password'>,
): Promise<Date> {
  if (member.hasFactor) throw new ServiceError('conflict', 'confirm with your second factor; the password alone is not enough');
  await verifiedPassword(deps, member, password);
  return markConfirmed(deps, member.sessionId);
}

interface SecondStep<T> extends Pick<SigningIn, 'network' | 'device'> {
  readonly shown: FactorProof;
  /** Work that is committed together with the use of the factor. */
  readonly finish: (trx: Knex.Transaction, factor: ShownFactor) => Promise<T>;
}

/**
 * Performs the second step of signing in.
 *
 * @returns the result of `finish`
 * @throws ServiceError `invalid_login` if the factor is wrong or was already used, `too_many_request` after too many attempts
 */
export async function requireFactor<T>(
  deps: FactorDeps,
  member: MemberCaller,
  { shown, network, device, finish }: SecondStep<T>,
): Promise<T> {
  const { memberId, email } = member;
  const [first] = await factorsOf(deps.db, memberId);
  // A device that was recorded before the first factor is ignored: no factor was shown in it, and somebody who had only the
  // password may have many such devices.
  const isKnown = device !== undefined && first !== undefined && new Date(device.at) >= first.created_at;
  const limits = limitsAtSignIn('factor', { email, memberId, network, device: isKnown ? device : undefined });
  return useFactor(deps, member, { limits, shown, finish });
}

async function useFactor<T>(
  deps: FactorDeps,
  { memberId, sessionId }: MemberCaller,
  { limits, shown, finish }: Pick<SecondStep<T>, 'shown' | 'finish'> & { readonly limits: readonly Limit[] },
): Promise<T> {
  const used = await limitAttempts(deps, limits, () =>
    withTransaction(deps.db, async (trx) => {
      const factor = await showFactor({ ...deps, db: trx }, { memberId, sessionId }, shown);
      return factor && { result: await finish(trx, factor) };
    }),
  );
  return (used ?? wrongFactor()).result;
}

/** Confirms a signed-in member by a second factor. @returns the time until which the confirmation is valid */
export async function confirmFactor(
  deps: FactorDeps,
  member: MemberCaller,
  {
    shown,
    record,
  }: { readonly shown: FactorProof; readonly record: (trx: Knex.Transaction, factor: ShownFactor) => Promise<void> },
): Promise<Date> {
  const limits = [limitOfMember('factor', member.memberId)];
  const finish = async (trx: Knex.Transaction, factor: ShownFactor) => {
    const until = await markConfirmed({ ...deps, db: trx }, member.sessionId);
    await record(trx, factor);
    return until;
  };
  return useFactor(deps, member, { limits, shown, finish });
}

/** @returns the stored form of the verified password */
async function verifiedPassword(deps: MembersDeps, { memberId, email }: MemberCaller, password: string): Promise<string> {
  const verified = await limitAttempts(deps, [limitOfMember('password', memberId)], async () => {
    const found = await memberByEmail(deps, email);
    return (await verifyPassword(password, found?.password)) ? (found?.password ?? undefined) : undefined;
  });
  if (verified === undefined) throw wrongPassword();
  return verified;
}

interface NewPassword {
  readonly current: string;
  readonly password: string;
}

/** The stored forms of a password and of its replacement. */
interface ExchangedPassword {
  readonly before: string;
  readonly after: string;
}

/**
 * Verifies the current password and hashes the new one.
 *
 * @throws ServiceError `invalid_login` if the current password is wrong, `too_many_request` after too many attempts,
 *   `invalid_body` for a new password that is too short or too long
 */
export async function exchangePassword(
  deps: MembersDeps,
  member: MemberCaller,
  { current, password }: NewPassword,
): Promise<ExchangedPassword> {
  checkNewPassword(password);
  const before = await verifiedPassword(deps, member, current);
  if (!member.hasFactor) await markConfirmed(deps, member.sessionId);
  return { before, after: await hashPassword(password) };
}

/**
 * Stores a new password, ends every other session of the member, and deletes links by which a new password could be chosen.
 *
 * @throws ServiceError `invalid_login` when the stored password is no longer the one that was verified
 */
export async function storePassword(
  deps: MembersDeps,
  { accountId, memberId, sessionId, hasFactor }: MemberCaller,
  { before, after }: ExchangedPassword,
): Promise<void> {
  // Refused if a factor was enrolled in another session since: that has ended this session, and the person would have had to show
  // the factor.
  const verified = { id: memberId, password: before, has_factor: hasFactor };
  const { db } = deps;
  if (!(await updateMember(deps, verified, { password: after })) || !(await hasMemberSession(db, sessionId)))
    throw wrongPassword();
  await deleteSessionsOf(db, memberId, sessionId);
  await deleteMemberLinks(db, { kind: 'password', account_id: accountId, member_id: memberId });
}

function wrongFactor(): never {
  throw new ServiceError('invalid_login', 'this code or passkey is wrong or was already used');
}

function wrongPassword(): ServiceError {
  return new ServiceError('invalid_login', 'the password is wrong');
}
