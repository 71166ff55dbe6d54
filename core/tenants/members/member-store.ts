import type { Knex } from 'knex';
import { nextId } from '../../db/next-id.ts';
import type { StoreDeps } from '../../db/store-deps.ts';
import { ServiceError } from '../../errors.ts';
import type { KeyRing, Statement } from '../../kit/key-ring.ts';
import type { Logger } from '../../kit/logger.ts';
import type { MemberStoreDeps } from './deps.ts';
import type { MemberRow } from './member-rows.ts';
import type { Role } from './permissions.ts';

export interface NewMember {
  readonly accountId: number;
  readonly name: string;
  /** Normalized as by `email.ts`. */
  readonly email: string;
  readonly role: Role;
  /** As `hashPassword` returns it. */
  readonly password?: string | undefined;
  readonly oidc?: { readonly issuer: string; readonly subject: string } | undefined;
}

/** The columns that decide how somebody signs in and what they may do; the row's HMAC proves that this service wrote them. */
export const MEMBER_STATEMENT_COLUMNS = [
  'id',
  'account_id',
  'email',
  'role',
  'password',
  'oidc_issuer',
  'oidc_subject',
  'has_factor',
] as const satisfies readonly (keyof MemberRow)[];
type StatedMember = Pick<MemberRow, (typeof MEMBER_STATEMENT_COLUMNS)[number]>;

export function memberStatement(row: StatedMember): Statement {
  return ['members', ...MEMBER_STATEMENT_COLUMNS.map((column) => row[column])];
}

/** @throws ServiceError `conflict` when somebody has this e-mail already */
export async function insertMember(
  { db, keys }: StoreDeps,
  { accountId, name, email, role, password, oidc }: NewMember,
): Promise<MemberRow> {
  const stated = {
    id: await nextId(db, 'members'),
    account_id: accountId,
    email,
    role,
    password: password ?? null,
    oidc_issuer: oidc?.issuer ?? null,
    oidc_subject: oidc?.subject ?? null,
    has_factor: false,
  };
  const [row] = await db<MemberRow>('members')
    .insert({ ...stated, name, mac: keys.authenticate(memberStatement(stated)) })
    .onConflict()
    .ignore()
    .returning('*');
  if (row === undefined) throw new ServiceError('conflict', `somebody with the e-mail address ${email} is already a member`);
  return row;
}

/** Finds a member by e-mail. E-mails are unique in the installation, since people sign in without naming an account. */
export function memberByEmail(deps: MemberStoreDeps, email: string): Promise<MemberRow | undefined> {
  return authenticMember(deps, { email });
}

/** Finds somebody who has signed in by OpenID Connect before. */
export function memberByOidc(
  deps: MemberStoreDeps,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<MemberRow | undefined> {
  return authenticMember(deps, { oidc_issuer: issuer, oidc_subject: subject });
}

export function memberById(deps: MemberStoreDeps, accountId: number, id: number): Promise<MemberRow | undefined> {
  return authenticMember(deps, { account_id: accountId, id });
}

/** Returns all rows, also those that this service did not write, so that an admin can see and remove them. */
export async function membersOf(db: Knex, accountId: number): Promise<MemberRow[]> {
  return db<MemberRow>('members').where({ account_id: accountId }).orderBy('id');
}

/** Locks the table of members, also against insertions. `db` must be a transaction. */
export async function lockMembers(db: Knex): Promise<void> {
  await db.raw('lock table members in share row exclusive mode');
}

export async function hasAdmin(db: Knex, accountId: number): Promise<boolean> {
  return (await db('members').where({ account_id: accountId, role: 'admin' }).first('id')) !== undefined;
}

/** Returns whether the member is the only admin of the account. The caller must have locked the members. */
export async function isLastAdmin(db: Knex, { account_id, id, role }: MemberRow): Promise<boolean> {
  if (role !== 'admin') return false;
  return (await db<MemberRow>('members').where({ account_id, role }).whereNot({ id }).first('id')) === undefined;
}

/**
 * Changes a member whose row this service wrote. `db` must be a transaction: the row is locked until it ends.
 *
 * @param which selects the member; if `password` or `has_factor` is present, it must equal the stored one
 * @returns whether there was such a member
 */
export async function updateMember(
  deps: MemberStoreDeps,
  which: { readonly id: number; readonly password?: string; readonly has_factor?: boolean },
  changes: Partial<Pick<MemberRow, 'role' | 'password' | 'oidc_issuer' | 'oidc_subject' | 'has_factor'>>,
): Promise<boolean> {
  const row = await deps.db<MemberRow>('members').where(which).forUpdate().first();
  if (row === undefined || !isAuthenticMember(deps, row)) return false;
  const mac = deps.keys.authenticate(memberStatement({ ...row, ...changes }));
  await deps
    .db<MemberRow>('members')
    .where({ id: row.id })
    .update({ ...changes, mac });
  return true;
}

export async function deleteMember(db: Knex, accountId: number, id: number): Promise<boolean> {
  return (await db('members').where({ account_id: accountId, id }).delete()) > 0;
}

async function authenticMember(deps: MemberStoreDeps, which: Partial<MemberRow>): Promise<MemberRow | undefined> {
  const row = await deps.db<MemberRow>('members').where(which).first();
  return row !== undefined && isAuthenticMember(deps, row) ? row : undefined;
}

/** Returns whether this service wrote these values, and logs an error if not. */
export function isAuthenticMember(
  { keys, log }: { readonly keys: KeyRing; readonly log: Logger },
  row: StatedMember & Pick<MemberRow, 'mac'>,
): boolean {
  const isAuthentic = keys.isAuthentic(row.mac, memberStatement(row));
  const fix = 'remove the member, and find out who else writes to the database';
  if (!isAuthentic)
    log.error('a member in the database was not written by this service, so the sign-in was refused', { memberId: row.id, fix });
  return isAuthentic;
}
