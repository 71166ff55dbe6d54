import { ServiceError } from '../errors.ts';
import { limitAttempts, limitOfAccount, limitOfDevice, limitOfMember, limitOfNetwork } from './attempts.ts';
import type { MemberCaller } from './caller.ts';
import type { MembersDeps } from './deps.ts';
import type { Device } from './device.ts';
import { deleteMemberLinks } from './member-link-store.ts';
import { deleteSessionsOf } from './member-session-store.ts';
import { invalidLogin, markConfirmed } from './member-sessions.ts';
import { memberByEmail, updateMember } from './member-store.ts';
import { checkNewPassword, hashPassword, verifyPassword } from './password.ts';

interface Entered {
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
  { email, password }: Entered,
  { network, device }: { readonly network: string; readonly device: Device | undefined },
): Promise<VerifiedMember> {
  const found = await memberByEmail(deps.db, email);
  const isKnown = device !== undefined && device.memberId === found?.id;
  const limits = isKnown ? [limitOfDevice(device)] : [limitOfNetwork(network), limitOfAccount(email)];
  const member = await limitAttempts(deps, limits, async () =>
    (await verifyPassword(password, found?.password)) ? found : undefined,
  );
  if (member === undefined) throw invalidLogin();
  return { memberId: member.id, password: member.password ?? undefined };
}

/** The person enters the password again. @returns until when that counts @throws ServiceError as `requireMember` */
export async function confirmPassword(
  deps: MembersDeps,
  member: MemberCaller,
  { password }: Pick<Entered, 'password'>,
): Promise<Date> {
  await verifiedPassword(deps, member, password);
  return markConfirmed(deps, member.sessionId);
}

/** @returns what is stored of the password */
async function verifiedPassword(deps: MembersDeps, { memberId, email }: MemberCaller, password: string): Promise<string> {
  const verified = await limitAttempts(deps, [limitOfMember(memberId)], async () => {
    const found = await memberByEmail(deps.db, email);
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

/** @throws ServiceError as `confirmPassword`; `invalid_body` for a bad new password */
export async function exchangePassword(
  deps: MembersDeps,
  member: MemberCaller,
  { current, password }: NewPassword,
): Promise<ExchangedPassword> {
  checkNewPassword(password);
  const before = await verifiedPassword(deps, member, current);
  await markConfirmed(deps, member.sessionId);
  return { before, after: await hashPassword(password) };
}

/**
 * Ends every other session of the person, and links that lead to another password.
 *
 * @throws ServiceError `invalid_login` when the password is not the one that was verified any more
 */
export async function storePassword(
  { db }: Pick<MembersDeps, 'db'>,
  { accountId, memberId, sessionId }: MemberCaller,
  { before, after }: ExchangedPassword,
): Promise<void> {
  if (!(await updateMember(db, { accountId, id: memberId, password: before }, { password: after }))) throw wrongPassword();
  await deleteSessionsOf(db, memberId, sessionId);
  await deleteMemberLinks(db, { kind: 'password', account_id: accountId, member_id: memberId });
}

function wrongPassword(): ServiceError {
  return new ServiceError('invalid_login', 'the password is not right');
}
