import { ServiceError } from '../errors.ts';
import { limitAttempts } from './attempts.ts';
import type { MemberCaller } from './caller.ts';
import type { MembersDeps } from './deps.ts';
import { deleteSessionsOf } from './member-session-store.ts';
import { markConfirmed, type OpenedSession, openMemberSession, type Visitor } from './member-sessions.ts';
import { memberByEmail, updateMember } from './member-store.ts';
import { checkNewPassword, hashPassword, verifyPassword } from './password.ts';

interface Entered {
  /** As `email.ts` reads it. */
  readonly email: string;
  readonly password: string;
}

/** A session for an e-mail and its password. @throws ServiceError `invalid_login`, `too_many_request` */
export async function signIn(
  deps: MembersDeps,
  { email, password }: Entered,
  visitor: Visitor & { readonly network: string; readonly isKept?: boolean | undefined },
): Promise<OpenedSession> {
  const member = await limitAttempts(deps, { subject: email, network: visitor.network }, async () => {
    const found = await memberByEmail(deps.db, email);
    return (await verifyPassword(password, found?.password)) ? found : undefined;
  });
  if (member === undefined) throw new ServiceError('invalid_login', 'the e-mail or the password is not right');
  return openMemberSession(deps, member.id, visitor);
}

/** The person enters the password again. @returns until when that counts @throws ServiceError as `signIn` */
export async function confirmPassword(
  deps: MembersDeps,
  member: MemberCaller,
  { password, network }: { readonly password: string; readonly network: string },
): Promise<Date> {
  const isRight = await limitAttempts(deps, { subject: member.email, network }, async () => {
    const found = await memberByEmail(deps.db, member.email);
    return (await verifyPassword(password, found?.password)) || undefined;
  });
  if (isRight === undefined) throw new ServiceError('invalid_login', 'the password is not right');
  return markConfirmed(deps, member.sessionId);
}

interface NewPassword {
  readonly current: string;
  readonly password: string;
  readonly network: string;
}

/** @returns what is stored of the new password @throws ServiceError as `confirmPassword`; `invalid_body` for a bad new one */
export async function exchangePassword(
  deps: MembersDeps,
  member: MemberCaller,
  { current, password, network }: NewPassword,
): Promise<string> {
  checkNewPassword(password);
  await confirmPassword(deps, member, { password: current, network });
  return hashPassword(password);
}

/** Ends every other session of the person. @param stored as `exchangePassword` returns it */
export async function storePassword({ db }: Pick<MembersDeps, 'db'>, member: MemberCaller, stored: string): Promise<void> {
  await updateMember(db, { accountId: member.accountId, id: member.memberId }, { password: stored });
  await deleteSessionsOf(db, member.memberId, member.sessionId);
}

/**
 * For what shows secrets or gives power away: the password must have been entered within the last ten minutes. Somebody without a
 * password has just been at the identity provider instead.
 *
 * @throws ServiceError `password_needed`
 */
export function requireConfirmed({ confirmedUntil }: MemberCaller): void {
  if (confirmedUntil === null) throw new ServiceError('password_needed', 'confirm that it is you: enter your password again');
}
