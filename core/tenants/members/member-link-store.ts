import type { Knex } from 'knex';
import type { MemberLinkRow } from './member-rows.ts';

export async function insertMemberLink(db: Knex, link: MemberLinkRow): Promise<void> {
  await db<MemberLinkRow>('member_links').insert(link);
}

export async function memberLinkByHash(
  db: Knex,
  { tokenHash, now }: { readonly tokenHash: Buffer; readonly now: Date },
): Promise<MemberLinkRow | undefined> {
  return db<MemberLinkRow>('member_links').where({ token_hash: tokenHash }).where('expires_at', '>', now).first();
}

/** Whether one of a kind can still be used, of any account. */
export async function hasMemberLink(
  db: Knex,
  { kind, now }: { readonly kind: MemberLinkRow['kind']; readonly now: Date },
): Promise<boolean> {
  return (await db<MemberLinkRow>('member_links').where({ kind }).where('expires_at', '>', now).first('kind')) !== undefined;
}

/** @returns false when it has been used */
export async function consumeMemberLink(db: Knex, tokenHash: Buffer): Promise<boolean> {
  return (await db('member_links').where({ token_hash: tokenHash }).delete()) > 0;
}

/** Also those that lead to the same: what one link has done, no other does again. */
export async function deleteMemberLinks(
  db: Knex,
  about: Partial<Pick<MemberLinkRow, 'kind' | 'account_id' | 'member_id'>>,
): Promise<void> {
  await db('member_links').where(about).delete();
}

/** Those that can still be used, the latest first. */
export async function invitationsOf(db: Knex, accountId: number, now: Date): Promise<MemberLinkRow[]> {
  return db<MemberLinkRow>('member_links')
    .where({ kind: 'invitation', account_id: accountId })
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc');
}

/** @returns whether there was one */
export async function deleteInvitations(
  db: Knex,
  { accountId, email }: { readonly accountId: number; readonly email: string },
): Promise<boolean> {
  return (await db('member_links').where({ kind: 'invitation', account_id: accountId, email }).delete()) > 0;
}
