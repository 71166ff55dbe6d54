import type { Knex } from 'knex';
import type { MemberRow, MemberSessionRow } from '../db/member-rows.ts';

export type NewMemberSession = Omit<MemberSessionRow, 'id'>;

/**
 * Waits for whoever changes or removes the member at this moment, and makes them wait: they end the sessions that are there after.
 *
 * @param password as it must be stored by now
 * @returns false when the member is gone, or has another password
 */
export async function insertMemberSession(
  db: Knex,
  { member_id: id, ...session }: NewMemberSession,
  password: string | undefined,
): Promise<boolean> {
  const columns = Object.keys(session);
  const values = columns.map(() => '?').join(', ');
  const member = db('members')
    .where({ id, ...(password !== undefined && { password }) })
    .select('id', db.raw(values, Object.values(session)))
    .forShare();
  const inserted = await db(db.raw('member_sessions (??)', [['member_id', ...columns]]))
    .insert(member)
    .returning('id');
  return inserted.length > 0;
}

type SessionAndMember = Pick<MemberSessionRow, 'last_seen_at' | 'confirmed_until'> &
  Pick<MemberRow, 'account_id' | 'name' | 'email' | 'role' | 'password'> & {
    readonly session_id: number;
    readonly member_id: number;
  };

/** A live session and whose it is. */
export async function memberSessionByHash(db: Knex, tokenHash: Buffer, now: Date): Promise<SessionAndMember | undefined> {
  return db('member_sessions as s')
    .join('members as m', 'm.id', 's.member_id')
    .where('s.token_hash', tokenHash)
    .where('s.expires_at', '>', now)
    .whereRaw(`s.last_seen_at + s.idle_seconds * interval '1 second' > ?`, [now])
    .first(
      's.id as session_id',
      's.last_seen_at',
      's.confirmed_until',
      'm.id as member_id',
      'm.account_id',
      'm.name',
      'm.email',
      'm.role',
      'm.password',
    );
}

export async function touchMemberSession(db: Knex, id: number, now: Date): Promise<void> {
  await db('member_sessions').where({ id }).update({ last_seen_at: now });
}

export async function confirmMemberSession(db: Knex, id: number, until: Date): Promise<void> {
  await db('member_sessions').where({ id }).update({ confirmed_until: until });
}

type ShownSession = Pick<MemberSessionRow, 'id' | 'created_at' | 'last_seen_at' | 'address' | 'user_agent'>;

export async function liveSessionsOf(db: Knex, memberId: number, now: Date): Promise<ShownSession[]> {
  return db<MemberSessionRow>('member_sessions')
    .where({ member_id: memberId })
    .where('expires_at', '>', now)
    .whereRaw(`last_seen_at + idle_seconds * interval '1 second' > ?`, [now])
    .orderBy('last_seen_at', 'desc')
    .select('id', 'created_at', 'last_seen_at', 'address', 'user_agent');
}

export async function deleteMemberSession(
  db: Knex,
  { memberId, id }: { readonly memberId: number; readonly id: number },
): Promise<boolean> {
  return (await db('member_sessions').where({ member_id: memberId, id }).delete()) > 0;
}

/** @param exceptId one that goes on */
export async function deleteSessionsOf(db: Knex, memberId: number, exceptId?: number): Promise<void> {
  const sessions = db('member_sessions').where({ member_id: memberId });
  await (exceptId === undefined ? sessions : sessions.whereNot({ id: exceptId })).delete();
}
