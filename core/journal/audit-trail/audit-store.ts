import type { Knex } from 'knex';
import type { AuditEntryRow, AuditHeadRow, AuditKeyRow } from './audit-rows.ts';

const HEAD = ['sequence', 'mac', 'key_id', 'proof'] as const;
const ENTRY = [
  'sequence',
  'at',
  'account_id',
  'environment_id',
  'actor_kind',
  'actor_id',
  'actor_name',
  'action',
  'subject_type',
  'subject_id',
  'subject_name',
  'facts',
  'address',
  'previous_mac',
  'mac',
  'key_id',
] as const;

/**
 * Locks the head: until the transaction ends, no other transaction can write an entry, on any instance, so sequences have no
 * gaps.
 */
export function lockHead(trx: Knex): Promise<AuditHeadRow | undefined> {
  return trx<AuditHeadRow>('audit_head').forUpdate().first(HEAD);
}

export function readHead(db: Knex): Promise<AuditHeadRow | undefined> {
  return db<AuditHeadRow>('audit_head').first(HEAD);
}

export async function moveHead(trx: Knex, head: AuditHeadRow): Promise<void> {
  await trx<AuditHeadRow>('audit_head').update(head);
}

export async function insertEntry(trx: Knex, row: AuditEntryRow): Promise<void> {
  await trx<AuditEntryRow>('audit_entries').insert({ ...row, facts: JSON.stringify(row.facts) } as never);
}

/** Reads the database's clock, in milliseconds, and the newest key, if there is one. */
export async function nowAndNewestKey(trx: Knex): Promise<{ readonly at: Date; readonly key: AuditKeyRow | undefined }> {
  const { rows }: { rows: (Omit<AuditKeyRow, 'id'> & { at: Date; id: number | null })[] } = await trx.raw(
    `select clock_timestamp()::timestamptz(3) as at, newest.* from (select) one
     left join lateral (select * from audit_keys order by id desc limit 1) newest on true`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database did not say what time it is');
  const { at, id, ...key } = row;
  return { at, key: id === null ? undefined : { ...key, id } };
}

export async function insertAuditKey(trx: Knex, key: Pick<AuditKeyRow, 'id' | 'secret' | 'made_under'>): Promise<void> {
  await trx<AuditKeyRow>('audit_keys').insert(key);
}

/** Returns whether the trail has no entries, as in a new installation. */
export async function isTrailEmpty(db: Knex): Promise<boolean> {
  const head = await readHead(db);
  return head?.sequence === 0 && !(await hasAuditKey(db)) && (await countMembers(db)) === 0;
}

/**
 * Counts the members of the dashboard. The trail has at least one entry for each, which says how the person became a member:
 * fewer entries than members mean that the trail was cut.
 */
export async function countMembers(db: Knex): Promise<number> {
  const [row] = await db('members').count<{ count: string | number }[]>();
  return Number(row?.count ?? 0);
}

export async function hasAuditKey(db: Knex): Promise<boolean> {
  return (await db('audit_keys').first('id')) !== undefined;
}

export function auditKeyById(db: Knex, id: number): Promise<AuditKeyRow | undefined> {
  return db<AuditKeyRow>('audit_keys').where({ id }).first();
}

/** Returns the entries of all accounts that follow a sequence, in ascending order. */
export function entriesAfter(db: Knex, sequence: number, limit: number): Promise<AuditEntryRow[]> {
  return db<AuditEntryRow>('audit_entries').where('sequence', '>', sequence).orderBy('sequence').limit(limit).select(ENTRY);
}

/** Returns whether the entry with this sequence has this HMAC. */
export async function hasEntry(db: Knex, entry: Pick<AuditEntryRow, 'sequence' | 'mac'>): Promise<boolean> {
  const { sequence, mac } = entry;
  return (await db<AuditEntryRow>('audit_entries').where({ sequence, mac }).first('sequence')) !== undefined;
}

export async function hasEntryWithMac(db: Knex, mac: Buffer): Promise<boolean> {
  return (await db<AuditEntryRow>('audit_entries').where({ mac }).first('sequence')) !== undefined;
}

/** A filter of entries; omitted fields do not restrict the result. */
export interface AuditFilter {
  /** The account whose entries are selected; `all` is for the operator. */
  readonly accountId: number | 'all';
  readonly environmentId?: number | undefined;
  readonly actorKind?: string | undefined;
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly since?: Date | undefined;
  /** The end of the time range, exclusive. */
  readonly until?: Date | undefined;
}

interface AuditPosition {
  /** The sequence of the last entry of the previous page. */
  readonly from?: number | undefined;
  readonly limit: number;
}

/** Returns entries in the order in which they prove each other. */
export async function oldestEntries(db: Knex, filter: AuditFilter, { from, limit }: AuditPosition): Promise<AuditEntryRow[]> {
  const query = filtered(db, filter);
  if (from !== undefined) query.where('sequence', '>', from);
  return query.orderBy('sequence').limit(limit).select(ENTRY);
}

/** Returns entries by time, so that an index finds those of any period, even after the database's clock was set back. */
export async function newestEntries(db: Knex, filter: AuditFilter, { from, limit }: AuditPosition): Promise<AuditEntryRow[]> {
  const query = filtered(db, filter);
  if (from !== undefined) query.whereRaw('(at, sequence) < ((select at from audit_entries where sequence = ?), ?)', [from, from]);
  return query
    .orderBy([
      { column: 'at', order: 'desc' },
      { column: 'sequence', order: 'desc' },
    ])
    .limit(limit)
    .select(ENTRY);
}

function filtered(db: Knex, filter: AuditFilter): Knex.QueryBuilder<AuditEntryRow, AuditEntryRow[]> {
  const given = {
    account_id: filter.accountId === 'all' ? undefined : filter.accountId,
    environment_id: filter.environmentId,
    actor_kind: filter.actorKind,
    actor_id: filter.actorId,
    action: filter.action,
  };
  const same = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const query = db<AuditEntryRow>('audit_entries').where(same);
  if (filter.since !== undefined) query.where('at', '>=', filter.since);
  if (filter.until !== undefined) query.where('at', '<', filter.until);
  return query;
}
