import type { Knex } from 'knex';
import { withTransaction } from '../../db/transaction.ts';

/** A part of the operation log: the operations that began at or after `from` and before `to`. */
export interface Partition {
  readonly name: string;
  readonly from: Date;
  readonly to: Date;
  /** The size of the partition with its indexes, in bytes. */
  readonly bytes: number;
}

/** The advisory lock that is held while partitions are changed. The number spells "svclog" in ASCII. */
const LOCK = 0x737663_6c6f67;
/**
 * How long to wait for a lock on the table. While a transaction waits for it, all writers queue behind that transaction, so it is
 * better to give up and try again a minute later.
 */
const LOCK_TIMEOUT = '1s';

/** Returns the partitions, the oldest first, without the default one. */
export async function listPartitions(db: Knex): Promise<Partition[]> {
  const { rows }: { rows: Partition[] } = await db.raw(`
    select name, (regexp_match(bounds, $$FROM \\('([^']+)'\\)$$))[1]::timestamptz as "from",
           (regexp_match(bounds, $$TO \\('([^']+)'\\)$$))[1]::timestamptz as "to", coalesce(bytes, 0) as bytes
    from (
      select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds, pg_total_relation_size(c.oid) as bytes
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'operation_log'::regclass) as parts
    where bounds <> 'DEFAULT'
    order by 2`);
  return rows;
}

/** Runs work on the partitions, unless another instance is doing so. */
export function alone(db: Knex, work: (trx: Knex.Transaction) => Promise<void>): Promise<void> {
  return withTransaction(db, async (trx) => {
    const { rows }: { rows: [{ locked: boolean }] } = await trx.raw(
      `select set_config('lock_timeout', ?, true), pg_try_advisory_xact_lock(?) as locked`,
      [LOCK_TIMEOUT, LOCK],
    );
    if (rows[0].locked) await work(trx);
  });
}

/**
 * Prevents all other transactions from writing to the log until this one ends. Without this, when a partition is attached,
 * Postgres would reject a row for the same period that is just being written to the default partition, and so make the
 * transaction of that row fail.
 */
export async function lockOut(trx: Knex.Transaction): Promise<void> {
  await trx.raw('lock table operation_log in access exclusive mode');
}

/**
 * Adds a partition, and moves the rows of its period from the default partition to it. It is created as a separate table and then
 * attached, which locks only the default partition.
 */
export async function addPartition(trx: Knex.Transaction, { from, to }: Pick<Partition, 'from' | 'to'>): Promise<void> {
  const name = `operation_log_${from.toISOString().replaceAll(/\D/g, '').slice(0, 12)}`;
  await trx.raw('create table :name: (like operation_log including all)', { name });
  await trx.raw(
    `with moved as (
       delete from operation_log_default where created_at >= :from and created_at < :to returning *)
     insert into :name: select * from moved`,
    { name, from, to },
  );
  await attach(trx, { name, from, to });
}

/**
 * Makes a partition end earlier, but not before the last of its rows. Readers and writers wait until Postgres has checked its
 * rows.
 */
export async function shortenPartition(trx: Knex.Transaction, { name, from }: Partition, to: Date): Promise<void> {
  await trx.raw('alter table operation_log detach partition :name:', { name });
  await attach(trx, { name, from, to });
}

async function attach(trx: Knex.Transaction, { name, from, to }: Omit<Partition, 'bytes'>): Promise<void> {
  // Postgres accepts no parameters for bounds.
  const bounds = `from ('${from.toISOString()}') to ('${to.toISOString()}')`;
  await trx.raw(`alter table operation_log attach partition :name: for values ${bounds}`, { name });
}

export async function dropPartition(trx: Knex.Transaction, { name }: Pick<Partition, 'name'>): Promise<void> {
  await trx.raw('drop table if exists :name:', { name });
}
