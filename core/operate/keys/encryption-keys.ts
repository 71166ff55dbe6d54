import type { Knex } from 'knex';
import { withTransaction } from '../../db/transaction.ts';
import { type KeyRing, KeyRingError } from '../../kit/key-ring.ts';
import type { KeyRingFile } from '../../kit/key-ring-file.ts';
import { addKnownKey, type KnownKey, knownKeys, lockKnownKeys, markUnneeded } from './encryption-key-store.ts';
import { ALL_SEALED, type SealedColumn } from './sealed-columns.ts';
import { hasSealed } from './sealed-value-store.ts';

const CANARY = 'svc';
/** The place to which the canaries of all keys are bound. They can share it, since each envelope names its key. */
const PLACE = { table: 'encryption_keys', column: 'canary', environmentId: 0, rowId: 0 } as const;

/**
 * Checks that the ring can decrypt the stored values, before anything else is read or written: every key that was ever used must
 * be present and be the right one, unless it is retired and no value needs it. If the current key has not been used before, its
 * canary is stored.
 *
 * @throws KeyRingError naming the ID of a key that is missing or wrong; the database is unchanged
 */
export async function checkEncryptionKeys(db: Knex, keys: KeyRing): Promise<void> {
  await withTransaction(db, async (trx) => {
    await lockKnownKeys(trx);
    const known = await checkKnownKeys(trx, keys);
    const dropped = known.filter((id) => !keys.has(id));
    await markUnneeded(trx, dropped);
    if (!known.includes(keys.currentKeyId)) await announceKey(trx, keys, keys.currentKeyId);
  });
}

/** Stores the canary of a key: from now on every start needs this key. */
export async function announceKey(db: Knex, keys: KeyRing, keyId: string): Promise<void> {
  await addKnownKey(db, keyId, keys.encrypt(CANARY, PLACE, keyId));
}

/**
 * Removes retired keys that no value needs from the file of the keys. No other process may use the database: one that still
 * encrypts with such a key would write values that could never be decrypted.
 *
 * @returns the IDs of the keys that were removed
 */
export async function dropRetiredKeys(db: Knex, file: Pick<KeyRingFile, 'remove'> | undefined): Promise<readonly string[]> {
  if (file === undefined) return [];
  const dropped: string[] = [];
  for (const id of retiredIds(await knownKeys(db))) if ((await needOf(db, id)) === undefined) dropped.push(id);
  if (dropped.length === 0) return dropped;
  const removed = await file.remove(dropped);
  await markUnneeded(db, dropped);
  return removed;
}

export function retiredIds(known: readonly KnownKey[]): readonly string[] {
  return known.filter(({ retired_at: since }) => since !== null).map(({ key_id: id }) => id);
}

/**
 * Checks the keys like `checkEncryptionKeys`, but stores nothing.
 *
 * @returns the IDs of all keys that were ever used; those of them that the ring lacks are not needed
 * @throws KeyRingError naming the ID of a key that is missing or wrong
 */
export async function checkKnownKeys(db: Knex, keys: KeyRing): Promise<readonly string[]> {
  const rows = await knownKeys(db);
  for (const row of rows) {
    if (keys.has(row.key_id)) checkKey(keys, row);
    else await checkDropped(db, row);
  }
  keys.retire(retiredIds(rows));
  return rows.map((row) => row.key_id);
}

/** Checks that a key which the ring lacks is not needed. @throws KeyRingError when a value may need it */
async function checkDropped(db: Knex, { key_id: id, retired_at: retiredAt, unneeded_at: unneeded }: KnownKey): Promise<void> {
  if (retiredAt !== null && unneeded !== null) return;
  const missing = `the database was encrypted with the key "${id}", which is missing; add it to SVC_ENCRYPTION_KEYS`;
  if (retiredAt === null) throw new KeyRingError('unknown_key', missing);
  const need = await needOf(db, id);
  if (need !== undefined)
    throw new KeyRingError('unknown_key', `${missing} and run \`keys rotate\`: ${need.table}.${need.column} still needs it`);
}

/** Returns a column with a value that this key has sealed; undefined if there is none. */
async function needOf(db: Knex, keyId: string): Promise<SealedColumn | undefined> {
  for (const column of ALL_SEALED) if (await hasSealed(db, column, keyId)) return column;
  return undefined;
}

function checkKey(keys: KeyRing, { key_id: id, canary }: KnownKey): void {
  try {
    keys.decrypt(canary, PLACE);
  } catch {
    const message = `the key "${id}" is not the one that the database was encrypted with; correct it in SVC_ENCRYPTION_KEYS`;
    throw new KeyRingError('unreadable_value', message);
  }
}
