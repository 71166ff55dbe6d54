import type { Knex } from 'knex';
import { ServiceError } from '../../errors.ts';
import type { MemberRow } from './member-rows.ts';
import type { Role } from './roles.ts';

export interface NewMember {
  readonly accountId: number;
  readonly name: string;
  /** As `normalizeEmail` returns it. */
  readonly email: string;
  readonly role: Role;
  /** As `hashPassword` returns it. */
  readonly password?: string | undefined;
  readonly oidc?: { readonly issuer: string; readonly subject: string } | undefined;
}

/** @throws ServiceError `conflict` when somebody has this e-mail already */
export async function insertMember(db: Knex, { accountId, name, email, role, password, oidc }: NewMember): Promise<MemberRow> {
  const [row] = await db<MemberRow>('members')
    .insert({
      account_id: accountId,
      name,
      email,
      role,
      password: password ?? null,
      oidc_issuer: oidc?.issuer ?? null,
      oidc_subject: oidc?.subject ?? null,
    })
    .onConflict()
    .ignore()
    .returning('*');
  if (row === undefined) throw new ServiceError('conflict', `somebody with the e-mail ${email} is a member already`);
  return row;
}

/** E-mails are unique in the installation: people sign in without naming an account. */
export async function memberByEmail(db: Knex, email: string): Promise<MemberRow | undefined> {
  return db<MemberRow>('members').where({ email }).first();
}

/** Of somebody who has signed in by OpenID Connect before. */
export async function memberByOidc(
  db: Knex,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<MemberRow | undefined> {
  return db<MemberRow>('members').where({ oidc_issuer: issuer, oidc_subject: subject }).first();
}

export async function memberById(db: Knex, accountId: number, id: number): Promise<MemberRow | undefined> {
  return db<MemberRow>('members').where({ account_id: accountId, id }).first();
}

export async function membersOf(db: Knex, accountId: number): Promise<MemberRow[]> {
  return db<MemberRow>('members').where({ account_id: accountId }).orderBy('id');
}

/** Also holds against members who are being added: `db` is a transaction. */
export async function lockMembers(db: Knex): Promise<void> {
  await db.raw('lock table members in share row exclusive mode');
}

export async function hasAdmin(db: Knex, accountId: number): Promise<boolean> {
  return (await db('members').where({ account_id: accountId, role: 'admin' }).first('id')) !== undefined;
}

/** Members are locked. */
export async function isLastAdmin(db: Knex, { account_id, id, role }: MemberRow): Promise<boolean> {
  if (role !== 'admin') return false;
  return (await db<MemberRow>('members').where({ account_id, role }).whereNot({ id }).first('id')) === undefined;
}

/** @param which with a password or `has_factor`, only while these are the stored ones @returns whether there was one */
export async function updateMember(
  db: Knex,
  {
    accountId,
    ...which
  }: { readonly accountId: number; readonly id: number; readonly password?: string; readonly has_factor?: boolean },
  changes: Partial<Pick<MemberRow, 'name' | 'role' | 'password' | 'oidc_issuer' | 'oidc_subject'>>,
): Promise<boolean> {
  return (
    (await db<MemberRow>('members')
      .where({ account_id: accountId, ...which })
      .update(changes)) > 0
  );
}

export async function deleteMember(db: Knex, accountId: number, id: number): Promise<boolean> {
  return (await db('members').where({ account_id: accountId, id }).delete()) > 0;
}
