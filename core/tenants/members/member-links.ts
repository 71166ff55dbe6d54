import type { Knex } from 'knex';
import { withTransaction } from '../../db/transaction.ts';
import { hashSecret, newSecret } from '../../kit/random-id.ts';
import type { MembersDeps } from './deps.ts';
import { consumeMemberLink, deleteMemberLinks, insertMemberLink, memberLinkByHash } from './member-link-store.ts';
import { deleteSessionsOf } from './member-session-store.ts';
import { insertMember, updateMember } from './member-store.ts';
import { checkNewPassword, hashPassword } from './password.ts';
import type { Role } from './permissions.ts';

const HOUR_MS = 60 * 60_000;
const PASSWORD_LINK_MS = 24 * HOUR_MS;
const INVITATION_MS = 7 * 24 * HOUR_MS;

/** @returns the token of a link by which a member can choose a new password once, within a day */
export async function makePasswordToken(
  { clock, ...deps }: MembersDeps,
  { accountId, memberId }: { readonly accountId: number; readonly memberId: number },
): Promise<string> {
  const token = newSecret();
  await insertMemberLink(deps, {
    token_hash: hashSecret(token),
    kind: 'password',
    account_id: accountId,
    member_id: memberId,
    email: null,
    role: null,
    expires_at: new Date(clock.now().getTime() + PASSWORD_LINK_MS),
  });
  return token;
}

/** @returns the token of a link by which somebody can become a member once, within a week */
export async function makeInvitation(
  { clock, ...deps }: MembersDeps,
  { accountId, email, role }: { readonly accountId: number; readonly email: string; readonly role: Role },
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = newSecret();
  const expiresAt = new Date(clock.now().getTime() + INVITATION_MS);
  await insertMemberLink(deps, {
    token_hash: hashSecret(token),
    kind: 'invitation',
    account_id: accountId,
    member_id: null,
    email,
    role,
    expires_at: expiresAt,
  });
  return { token, expiresAt };
}

interface Chosen {
  /** The token of the link. */
  readonly token: string;
  /** The name of somebody who was invited. Default: their e-mail. */
  readonly name?: string | undefined;
  readonly password: string;
}

interface PasswordOwner {
  readonly memberId: number;
  /** True if somebody who was invited has just become a member. */
  readonly isNew: boolean;
}

/**
 * Sets the new password of the link's member and ends all of the member's sessions, or creates the member whom the link invited.
 *
 * @param finish work that is committed together with this change
 * @returns the result of `finish`; undefined if the token is wrong, used or expired
 * @throws ServiceError `invalid_body` for a bad password, `conflict` when somebody else has the e-mail by now
 */
export async function choosePassword<T>(
  deps: MembersDeps,
  { token, name, password }: Chosen,
  finish: (trx: Knex.Transaction, holder: PasswordOwner) => Promise<T>,
): Promise<T | undefined> {
  checkNewPassword(password);
  const tokenHash = hashSecret(token);
  const link = await memberLinkByHash(deps, { tokenHash, now: deps.clock.now() });
  if (link === undefined || link.kind === 'setup') return undefined;
  const stored = await hashPassword(password);
  const { account_id: accountId, member_id: memberId, email, role } = link;
  return withTransaction(deps.db, async (trx) => {
    const here = { ...deps, db: trx };
    if (!(await consumeMemberLink(trx, tokenHash))) return undefined;
    if (memberId === null) {
      if (email === null || role === null) throw new Error('the invitation has no e-mail address or role');
      const { id } = await insertMember(here, { accountId, name: name ?? email, email, role, password: stored });
      return finish(trx, { memberId: id, isNew: true });
    }
    if (!(await updateMember(here, { id: memberId }, { password: stored }))) return undefined;
    await deleteSessionsOf(trx, memberId);
    await deleteMemberLinks(trx, { kind: 'password', account_id: accountId, member_id: memberId });
    return finish(trx, { memberId, isNew: false });
  });
}
