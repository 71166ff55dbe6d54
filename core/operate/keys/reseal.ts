import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { KeyRing } from '../../kit/key-ring.ts';
import { killPoint } from '../../kit/kill-point.ts';
import { ALL_SEALED, type SealedColumn, type SealedRows, type SealedTable } from './sealed-columns.ts';
import {
  exchangeSealed,
  type ResealedValue,
  type RowPosition,
  readSealed,
  type SealedSize,
  sealedByOthers,
  windowEnd,
} from './sealed-value-store.ts';
import { bindingColumns, bindingOf, resealed } from './seals.ts';

/** Maximum size of a batch, which one statement replaces, so that it holds its locks only for milliseconds. */
const BATCH = { rows: 200, bytes: 4 * 1024 * 1024 } as const;
const RETRY_MS = 200;
/**
 * Maximum number of consecutive passes that re-encrypt nothing because other transactions have changed or locked all remaining
 * values.
 */
const MAX_FRUITLESS_PASSES = 150;

interface ResealDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
}

export interface Resealing {
  /** Number of re-encrypted values by column, `table.column`. */
  readonly resealed: Readonly<Record<string, number>>;
  /** Number of values by column that cannot be decrypted, or are proofs that are not valid; they are left unchanged. */
  readonly unreadable: Readonly<Record<string, number>>;
}

interface ResealOptions {
  /** True if the work should pause for half of the time, to leave the database to instances that are running. */
  readonly isShared: boolean;
  /** Called after each batch. */
  onProgress(column: string, resealed: number): void;
}

/** The result of one pass over one column. */
interface Pass {
  readonly resealed: number;
  readonly unreadable: number;
  /** Number of values that were skipped because another transaction has changed or locked them. */
  readonly left: number;
}

/**
 * Re-encrypts every value of another key with the current one, while instances continue to read and write. A value that an
 * instance changes at the same time is not overwritten. No progress is stored, since each value shows which key has sealed it, so
 * the work can be stopped at any time and repeated.
 *
 * @throws Error when other transactions keep rows locked
 */
export async function resealAll(deps: ResealDeps, options: ResealOptions): Promise<Resealing> {
  const done = new Map<string, number>();
  for (let fruitless = 0; ; ) {
    const unreadable: Record<string, number> = {};
    let [found, left] = [0, 0];
    for (const column of ALL_SEALED) {
      const name = `${column.table}.${column.column}`;
      const onBatch = (count: number) => options.onProgress(name, (done.get(name) ?? 0) + count);
      const pass = await resealColumn(deps, column, { ...options, onBatch });
      if (pass.resealed > 0) done.set(name, (done.get(name) ?? 0) + pass.resealed);
      if (pass.unreadable > 0) unreadable[name] = pass.unreadable;
      found += pass.resealed;
      left += pass.left;
    }
    if (left === 0) return { resealed: Object.fromEntries(done), unreadable };
    fruitless = found === 0 ? fruitless + 1 : 0;
    if (fruitless === MAX_FRUITLESS_PASSES)
      throw new Error(`${left} values are locked by other transactions; end long transactions, then repeat the command`);
    await wait(RETRY_MS);
  }
}

async function resealColumn(
  deps: ResealDeps,
  column: SealedColumn,
  { isShared, onBatch }: Pick<ResealOptions, 'isShared'> & { onBatch(resealed: number): void },
): Promise<Pass> {
  const total = { resealed: 0, unreadable: 0, left: 0 };
  for (let after: RowPosition; ; ) {
    const end = await windowEnd(deps.db, column, after);
    if (end === undefined) return total;
    const sizes = await sealedByOthers(deps.db, column, { after, end, keyId: deps.keys.currentKeyId });
    for (const batch of batchesOf(sizes)) {
      const beganMs = performance.now();
      const pass = await resealBatch(deps, column, batch);
      if (isShared) await wait(performance.now() - beganMs);
      total.resealed += pass.resealed;
      total.unreadable += pass.unreadable;
      total.left += pass.left;
      onBatch(total.resealed);
      killPoint('reseal');
    }
    after = end;
  }
}

async function resealBatch({ db, keys }: ResealDeps, column: SealedColumn, batch: readonly SealedSize[]): Promise<Pass> {
  const rows = await readSealed(db, column, { rows: batch, needs: bindingColumns(column.table) });
  const exchanges: ResealedValue[] = [];
  let unreadable = 0;
  for (const row of rows) {
    const old = row[column.column];
    if (!Buffer.isBuffer(old)) continue;
    const fresh = resealed(keys, bindingOf(column, row as unknown as SealedRows[SealedTable]), old);
    if (fresh === undefined) unreadable += 1;
    else exchanges.push({ row, old, fresh });
  }
  const count = exchanges.length === 0 ? 0 : await exchangeSealed(db, column, exchanges);
  return { resealed: count, unreadable, left: exchanges.length - count };
}

function* batchesOf(sizes: readonly SealedSize[]): Generator<readonly SealedSize[]> {
  let [batch, bytes]: [SealedSize[], number] = [[], 0];
  for (const size of sizes) {
    if (batch.length === BATCH.rows || (batch.length > 0 && bytes + size.bytes > BATCH.bytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(size);
    bytes += size.bytes;
  }
  if (batch.length > 0) yield batch;
}
