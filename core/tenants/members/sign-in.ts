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
  /** As `email.ts` reads it. */
  readonly email: string;
  readonly password: string;
}

interface VerifiedMember {
  readonly memberId: number;
  /** As it is stored. */
  readonly password: string | undefined;
}

/** Whose e-mail and password these are. @throws ServiceError `invalid_login`, `too_many_request` */
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
 * The person enters the password again.
 *
 * @returns until when that counts @throws ServiceError as `requireMember`; `conflict` to who has a second factor
 */
export async function confirmPassword(
  deps: MembersDeps,
  member: MemberCaller,
  { password }: Pick<EnteredPassword, 'password'>,
): Promise<Date> {
  if (member.hasFactor) throw new ServiceError('conflict', 'confirm with your second factor: the password alone is not enough');
  await verifiedPassword(deps, member, password);
  return markConfirmed(deps, member.sessionId);
}

interface SecondStep<T> extends Pick<SigningIn, 'network' | 'device'> {
  readonly shown: FactorProof;
  /** What is committed together with the use of the factor. */
  readonly finish: (trx: Knex.Transaction, factor: ShownFactor) => Promise<T>;
}

/** The second step of signing in. @returns what `finish` does @throws ServiceError `invalid_login`, `too_many_request` */
export async function requireFactor<T>(
  deps: FactorDeps,
  member: MemberCaller,
  { shown, network, device, finish }: SecondStep<T>,
): Promise<T> {
  const { memberId, email } = member;
  const [first] = await factorsOf(deps.db, memberId);
  // In a browser that was known before there was a factor nobody has shown one: who had the password alone may have many such.
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

/** The same of somebody who is signed in, where it is wanted again. @returns until when that counts */
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

/** @returns what is stored of the password */
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

/** Of a password and of the one that replaces it, what is stored. */
export interface ExchangedPassword {
  readonly before: string;
  readonly after: string;
}

/** @throws ServiceError `invalid_login`, `too_many_request`; `invalid_body` for a bad new password */
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
 * Ends every other session of the person, and links that lead to another password.
 *
 * @throws ServiceError `invalid_login` when the password is not the one that was verified any more
 */
export async function storePassword(
  deps: MembersDeps,
  { accountId, memberId, sessionId, hasFactor }: MemberCaller,
  { before, after }: ExchangedPassword,
): Promise<void> {
  // Who has enrolled a factor meanwhile has ended this session, and would have been asked for it.
  const verified = { id: memberId, password: before, has_factor: hasFactor };
  const { db } = deps;
  if (!(await updateMember(deps, verified, { password: after })) || !(await hasMemberSession(db, sessionId)))
    throw wrongPassword();
  await deleteSessionsOf(db, memberId, sessionId);
  await deleteMemberLinks(db, { kind: 'password', account_id: accountId, member_id: memberId });
}

function wrongFactor(): never {
  throw new ServiceError('invalid_login', 'this code or passkey is not right, or has been used');
}

function wrongPassword(): ServiceError {
  return new ServiceError('invalid_login', 'the password is not right');
}
