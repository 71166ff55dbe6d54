import type { Knex } from 'knex';
import type { KeyRing } from '../../kit/key-ring.ts';
import { knownKeys } from './encryption-key-store.ts';
import { keyReports } from './key-report-store.ts';
import { ALL_SEALED } from './sealed-columns.ts';
import { countSealed } from './sealed-value-store.ts';

/** Number of values that need a key, by column (`table.column`). */
type Need = Readonly<Record<string, number>>;

export interface KeyStatus {
  readonly id: string;
  /** True when the key is in the key ring of this process. */
  readonly given: boolean;
  readonly encrypts: boolean;
  readonly retiredAt: Date | null;
  readonly values: number;
  readonly neededBy: Need;
  /** Number of running instances that encrypt with the key. */
  readonly instances: number;
  /**
   * True when the key may be removed from the key ring: it is retired, no value needs it, and no instance encrypts with it, so
   * the service starts without it.
   */
  readonly mayBeDropped: boolean;
}

/** Returns how many values need each key, by key ID and column. */
export async function neededBy(db: Knex): Promise<ReadonlyMap<string, Need>> {
  const needs = new Map<string, Record<string, number>>();
  for (const column of ALL_SEALED) {
    for (const [id, count] of await countSealed(db, column)) {
      const need = needs.get(id) ?? {};
      need[`${column.table}.${column.column}`] = count;
      needs.set(id, need);
    }
  }
  return needs;
}

/** Returns the status of every key that is given, was ever used, or is needed. */
export async function keyStatus({ db, keys }: { readonly db: Knex; readonly keys: KeyRing }): Promise<readonly KeyStatus[]> {
  const [known, reports, needs] = [await knownKeys(db), await keyReports(db), await neededBy(db)];
  const ids = new Set([...keys.keyIds, ...known.map(({ key_id: id }) => id), ...needs.keys()]);
  return [...ids].map((id) => {
    const row = known.find(({ key_id: used }) => used === id);
    const need = needs.get(id) ?? {};
    const values = Object.values(need).reduce((total, count) => total + count, 0);
    const encrypts = id === keys.currentKeyId;
    const instances = reports.filter(({ currentKeyId }) => currentKeyId === id).length;
    // A key that is not known yet is no old one: the next rotation may be about to use it.
    const isRetired = row !== undefined && row.retired_at !== null;
    return {
      id,
      given: keys.has(id),
      encrypts,
      retiredAt: row?.retired_at ?? null,
      values,
      neededBy: need,
      instances,
      mayBeDropped: !encrypts && isRetired && values === 0 && instances === 0,
    };
  });
}
