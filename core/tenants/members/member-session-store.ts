import type { Knex } from 'knex';
import type { MemberRow, MemberSessionRow } from './member-rows.ts';

export type NewMemberSession = Omit<MemberSessionRow, 'id' | 'awaits_factor' | 'challenge'>;

/**
 * Waits for whoever changes or removes the member at this moment, and makes them wait: they end the sessions that are there after.
 * Where the member has a second factor by then, the session awaits it.
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
    .select('id', 'has_factor', db.raw(values, Object.values(session)))
    .forShare();
  const inserted = await db(db.raw('member_sessions (??)', [['member_id', 'awaits_factor', ...columns]]))
    .insert(member)
    .returning('id');
  return inserted.length > 0;
}

/** How long a session may await its second factor. */
const FACTOR_WITHIN = `interval '10 minutes'`;

type SessionAndMember = Pick<MemberSessionRow, 'last_seen_at' | 'confirmed_until' | 'awaits_factor'> &
  Pick<MemberRow, 'account_id' | 'name' | 'email' | 'role' | 'password' | 'has_factor'> & {
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
    .whereRaw(`(not s.awaits_factor or s.created_at + ${FACTOR_WITHIN} > ?)`, [now])
    .first(
      's.id as session_id',
      's.last_seen_at',
      's.confirmed_until',
      's.awaits_factor',
      'm.id as member_id',
      'm.account_id',
      'm.name',
      'm.email',
      'm.role',
      'm.password',
      'm.has_factor',
    );
}

interface PassedSession extends Pick<MemberSessionRow, 'token_hash' | 'confirmed_until'> {
  readonly id: number;
}

/** The second factor was shown. @returns undefined when the session does not await it any more; else how long it lives without a request */
export async function passMemberSession(db: Knex, { id, ...passed }: PassedSession): Promise<number | undefined> {
  const [row] = await db<MemberSessionRow>('member_sessions')
    .where({ id, awaits_factor: true })
    .update({ ...passed, awaits_factor: false, challenge: null })
    .returning('idle_seconds');
  return row?.idle_seconds;
}

export async function readChallenge(db: Knex, id: number): Promise<Buffer | null> {
  return (await db<MemberSessionRow>('member_sessions').where({ id }).first('challenge'))?.challenge ?? null;
}

export async function writeChallenge(db: Knex, id: number, challenge: Buffer): Promise<void> {
  await db('member_sessions').where({ id }).update({ challenge });
}

/** @returns false when it is another one by now, or none */
export async function consumeChallenge(db: Knex, id: number, challenge: Buffer): Promise<boolean> {
  return (await db('member_sessions').where({ id, challenge }).update({ challenge: null })) > 0;
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
    .where({ member_id: memberId, awaits_factor: false })
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

export async function hasMemberSession(db: Knex, id: number): Promise<boolean> {
  return (await db('member_sessions').where({ id }).first('id')) !== undefined;
}

/** @param exceptId one that goes on */
export async function deleteSessionsOf(db: Knex, memberId: number, exceptId?: number): Promise<void> {
  const sessions = db('member_sessions').where({ member_id: memberId });
  await (exceptId === undefined ? sessions : sessions.whereNot({ id: exceptId })).delete();
}

/** Those that nothing can finish any more. */
export async function deleteAwaitingSessions(db: Knex, memberId: number): Promise<void> {
  await db('member_sessions').where({ member_id: memberId, awaits_factor: true }).delete();
}
