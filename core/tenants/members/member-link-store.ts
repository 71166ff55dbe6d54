import type { Knex } from 'knex';
import type { StoreDeps } from '../../db/store-deps.ts';
import type { Statement } from '../../kit/key-ring.ts';
import type { MemberStoreDeps } from './deps.ts';
import type { MemberLinkRow } from './member-rows.ts';

type NewMemberLink = Omit<MemberLinkRow, 'id' | 'mac'>;

/** Returns the values that the HMAC of a link authenticates: all of its columns. */
export function memberLinkStatement(link: NewMemberLink): Statement {
  const { token_hash: hash, kind, account_id: account, member_id: member, email, role, expires_at: end } = link;
  return ['member_links', hash.toString('hex'), kind, account, member, email, role, end.getTime()];
}

export async function insertMemberLink({ db, keys }: StoreDeps, link: NewMemberLink): Promise<void> {
  await db<MemberLinkRow>('member_links').insert({ ...link, mac: keys.authenticate(memberLinkStatement(link)) });
}

/** Finds a link by the hash of its token. Links that have expired, or that this service did not write, are not found. */
export async function memberLinkByHash(
  { db, keys, log }: MemberStoreDeps,
  { tokenHash, now }: { readonly tokenHash: Buffer; readonly now: Date },
): Promise<MemberLinkRow | undefined> {
  const link = await db<MemberLinkRow>('member_links').where({ token_hash: tokenHash }).where('expires_at', '>', now).first();
  if (link === undefined || keys.isAuthentic(link.mac, memberLinkStatement(link))) return link;
  const fix = 'find out who else writes to the database';
  log.error('a one-time link in the database was not written by this service, so it was refused', { kind: link.kind, fix });
  return undefined;
}

/** Returns whether any account has a link of this kind that can still be used. */
export async function hasMemberLink(
  db: Knex,
  { kind, now }: { readonly kind: MemberLinkRow['kind']; readonly now: Date },
): Promise<boolean> {
  return (await db<MemberLinkRow>('member_links').where({ kind }).where('expires_at', '>', now).first('kind')) !== undefined;
}

/** @returns false when the link has been used already */
export async function consumeMemberLink(db: Knex, tokenHash: Buffer): Promise<boolean> {
  return (await db('member_links').where({ token_hash: tokenHash }).delete()) > 0;
}

/** Deletes all links with the same purpose: once one of them has been used, the others must no longer work. */
export async function deleteMemberLinks(
  db: Knex,
  about: Partial<Pick<MemberLinkRow, 'kind' | 'account_id' | 'member_id'>>,
): Promise<void> {
  await db('member_links').where(about).delete();
}

/** Returns the invitations that can still be used, the latest expiry first. */
export async function invitationsOf(db: Knex, accountId: number, now: Date): Promise<MemberLinkRow[]> {
  return db<MemberLinkRow>('member_links')
    .where({ kind: 'invitation', account_id: accountId })
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc');
}

/** @returns whether there was an invitation */
export async function deleteInvitations(
  db: Knex,
  { accountId, email }: { readonly accountId: number; readonly email: string },
): Promise<boolean> {
  return (await db('member_links').where({ kind: 'invitation', account_id: accountId, email }).delete()) > 0;
}
