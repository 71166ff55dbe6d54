import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import type { MembersDeps } from './deps.ts';
import { deleteInvitations } from './member-link-store.ts';
import { makeInvitation } from './member-links.ts';
import type { MemberRow } from './member-rows.ts';
import { deleteSessionsOf } from './member-session-store.ts';
import { deleteMember, isLastAdmin, lockMembers, memberByEmail, membersOf, updateMember } from './member-store.ts';
import type { Role } from './permissions.ts';

interface MemberAddress {
  readonly accountId: number;
  readonly id: number;
}

/**
 * Creates a link by which somebody becomes a member. It replaces an earlier link for the same e-mail.
 *
 * @throws ServiceError `conflict` when somebody with the e-mail is a member already
 */
export async function invite(
  deps: MembersDeps,
  invited: { readonly accountId: number; readonly email: string; readonly role: Role },
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const { accountId, email } = invited;
  return withTransaction(deps.db, async (trx) => {
    if ((await memberByEmail({ ...deps, db: trx }, email)) !== undefined)
      throw new ServiceError('conflict', `somebody with the e-mail address ${email} is already a member`);
    await deleteInvitations(trx, { accountId, email });
    return makeInvitation({ ...deps, db: trx }, invited);
  });
}

/**
 * Changes the role of a member and ends their sessions: they sign in again with the new role.
 *
 * @throws ServiceError `not_found`; `conflict` for the last admin, and for a member whose row this service did not write
 */
export async function changeRole(deps: MembersDeps, { accountId, id }: MemberAddress, role: Role): Promise<MemberRow> {
  return withTransaction(deps.db, async (trx) => {
    const member = await lockMember(trx, { accountId, id });
    if (member.role === role) return member;
    await requireOtherAdmin(trx, member);
    if (!(await updateMember({ ...deps, db: trx }, { id }, { role }))) throw notOurs();
    await deleteSessionsOf(trx, id);
    return { ...member, role };
  });
}

/** Removes a member and all their sessions. @throws ServiceError `not_found`; `conflict` for the last admin */
export async function removeMember({ db }: MembersDeps, { accountId, id }: MemberAddress): Promise<MemberRow> {
  return withTransaction(db, async (trx) => {
    const member = await lockMember(trx, { accountId, id });
    await requireOtherAdmin(trx, member);
    await deleteMember(trx, accountId, id);
    return member;
  });
}

/** Finds a member and locks all members, so that if two admins remove each other at the same time, one of them stays. */
async function lockMember(trx: MembersDeps['db'], { accountId, id }: MemberAddress): Promise<MemberRow> {
  await lockMembers(trx);
  const member = (await membersOf(trx, accountId)).find((one) => one.id === id);
  if (member === undefined) throw new ServiceError('not_found', 'there is no such member');
  return member;
}

function notOurs(): ServiceError {
  return new ServiceError(
    'conflict',
    'this member was changed in the database by something other than this service: remove them and invite them again',
  );
}

async function requireOtherAdmin(trx: MembersDeps['db'], member: MemberRow): Promise<void> {
  if (!(await isLastAdmin(trx, member))) return;
  throw new ServiceError('conflict', 'this is the last admin: make another member an admin first');
}
