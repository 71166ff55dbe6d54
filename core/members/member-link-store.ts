import type { Knex } from 'knex';
import type { MemberLinkRow } from '../db/member-rows.ts';

export async function insertMemberLink(db: Knex, link: MemberLinkRow): Promise<void> {
  await db<MemberLinkRow>('member_links').insert(link);
}

export async function memberLinkByHash(
  db: Knex,
  { tokenHash, now }: { readonly tokenHash: Buffer; readonly now: Date },
): Promise<MemberLinkRow | undefined> {
  return db<MemberLinkRow>('member_links').where({ token_hash: tokenHash }).where('expires_at', '>', now).first();
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
