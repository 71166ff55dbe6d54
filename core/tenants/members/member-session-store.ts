import type { Knex } from 'knex';
import type { StoreDeps } from '../../db/store-deps.ts';
import { withTransaction } from '../../db/transaction.ts';
import type { Statement } from '../../kit/key-ring.ts';
import type { MemberStoreDeps } from './deps.ts';
import type { MemberRow, MemberSessionRow } from './member-rows.ts';
import { isAuthenticMember, MEMBER_STATEMENT_COLUMNS } from './member-store.ts';

type NewMemberSession = Omit<MemberSessionRow, 'id' | 'awaits_factor' | 'challenge' | 'mac'>;

/** Returns the values that the HMAC of a session authenticates: its member, and whether it awaits a factor; not its times. */
export function sessionStatement(row: Pick<MemberSessionRow, 'token_hash' | 'member_id' | 'awaits_factor'>): Statement {
  return ['member_sessions', row.token_hash.toString('hex'), row.member_id, row.awaits_factor];
}

/**
 * Inserts a session, which awaits a second factor if the member has one. The member's row is locked: a change to the member, or
 * their removal, comes either before this, and is respected, or after it, and then ends this session, too.
 *
 * @param password the stored form of the password that was verified; undefined if none was
 * @returns false when the member is gone, or has another password
 */
export async function insertMemberSession(
  deps: MemberStoreDeps,
  session: NewMemberSession,
  password: string | undefined,
): Promise<boolean> {
  return withTransaction(deps.db, async (trx) => {
    const which = { id: session.member_id, ...(password !== undefined && { password }) };
    const member = await trx<MemberRow>('members').where(which).forShare().first();
    if (member === undefined || !isAuthenticMember(deps, member)) return false;
    const stored = { ...session, awaits_factor: member.has_factor };
    await trx<MemberSessionRow>('member_sessions').insert({ ...stored, mac: deps.keys.authenticate(sessionStatement(stored)) });
    return true;
  });
}

/** How long a session may await its second factor. */
const FACTOR_WITHIN = `interval '10 minutes'`;

/** A member's row joined with columns of one of their sessions, which are renamed where both tables have them. */
interface SessionAndMember
  extends Omit<MemberRow, 'created_at'>,
    Pick<MemberSessionRow, 'member_id' | 'token_hash' | 'last_seen_at' | 'confirmed_until' | 'awaits_factor'> {
  readonly session_id: number;
  readonly session_mac: Buffer;
}

/** Returns a live session and its member, provided that this service wrote both. */
export async function memberSessionByHash(
  deps: MemberStoreDeps,
  tokenHash: Buffer,
  now: Date,
): Promise<SessionAndMember | undefined> {
  const found: SessionAndMember | undefined = await deps
    .db('member_sessions as s')
    .join('members as m', 'm.id', 's.member_id')
    .where('s.token_hash', tokenHash)
    .where('s.expires_at', '>', now)
    .whereRaw(`s.last_seen_at + s.idle_seconds * interval '1 second' > ?`, [now])
    .whereRaw(`(not s.awaits_factor or s.created_at + ${FACTOR_WITHIN} > ?)`, [now])
    .first(
      's.id as session_id',
      's.mac as session_mac',
      's.member_id',
      's.token_hash',
      's.last_seen_at',
      's.confirmed_until',
      's.awaits_factor',
      'm.name',
      'm.mac',
      ...MEMBER_STATEMENT_COLUMNS.map((column) => `m.${column}`),
    );
  if (found === undefined || !isAuthenticMember(deps, found)) return undefined;
  if (deps.keys.isAuthentic(found.session_mac, sessionStatement(found))) return found;
  const facts = { memberId: found.member_id, fix: 'find out who else writes to the database' };
  deps.log.error('a dashboard session in the database was not written by this service, so it was refused', facts);
  return undefined;
}

type PassedSession = Pick<MemberSessionRow, 'id' | 'member_id' | 'token_hash' | 'confirmed_until'>;

/**
 * Completes a session whose second factor was shown.
 *
 * @returns its idle lifetime in seconds; undefined when it does not await a factor any more
 */
export async function passMemberSession(
  { db, keys }: StoreDeps,
  { id, member_id, ...changes }: PassedSession,
): Promise<number | undefined> {
  const passed = { ...changes, awaits_factor: false };
  const mac = keys.authenticate(sessionStatement({ ...passed, member_id }));
  const [row] = await db<MemberSessionRow>('member_sessions')
    .where({ id, member_id, awaits_factor: true })
    .update({ ...passed, mac, challenge: null })
    .returning('idle_seconds');
  return row?.idle_seconds;
}

export async function readChallenge(db: Knex, id: number): Promise<Buffer | null> {
  return (await db<MemberSessionRow>('member_sessions').where({ id }).first('challenge'))?.challenge ?? null;
}

export async function writeChallenge(db: Knex, id: number, challenge: Buffer): Promise<void> {
  await db('member_sessions').where({ id }).update({ challenge });
}

/** @returns false when the session has another challenge by now, or none */
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

/** @param exceptId the ID of a session that is kept */
export async function deleteSessionsOf(db: Knex, memberId: number, exceptId?: number): Promise<void> {
  const sessions = db('member_sessions').where({ member_id: memberId });
  await (exceptId === undefined ? sessions : sessions.whereNot({ id: exceptId })).delete();
}

/** Deletes the member's sessions that await a second factor: once the last factor is removed, nobody can complete them. */
export async function deleteAwaitingSessions(db: Knex, memberId: number): Promise<void> {
  await db('member_sessions').where({ member_id: memberId, awaits_factor: true }).delete();
}
