import type { Knex } from 'knex';
import { type KeyRing, KeyRingError, type Place } from '../kit/key-ring.ts';
import type { EncryptionKeyRow } from './rows.ts';
import { withTransaction } from './transaction.ts';

const CANARY = 'svc';

/**
 * Proves that the ring opens what lies in the database, before anything else is read or written: every key that was ever used
 * must be there and be the right one. A key used for the first time leaves its proof.
 *
 * @throws KeyRingError naming the key's ID; the database is as before
 */
export async function checkEncryptionKeys(db: Knex, keys: KeyRing): Promise<void> {
  await withTransaction(db, async (trx) => {
    await trx.raw('lock table encryption_keys in exclusive mode'); // two instances may start on one empty database
    const known = await checkKnownKeys(trx, keys);
    if (known.includes(keys.currentKeyId)) return;
    const canary = keys.encrypt(CANARY, place());
    await trx<EncryptionKeyRow>('encryption_keys').insert({ key_id: keys.currentKeyId, canary });
  });
}

/** The same without leaving anything. @returns the IDs of the keys that were ever used @throws KeyRingError */
export async function checkKnownKeys(db: Knex, keys: KeyRing): Promise<readonly string[]> {
  const rows = await db<EncryptionKeyRow>('encryption_keys').orderBy('created_at').select('key_id', 'canary');
  for (const row of rows) checkKey(keys, row);
  return rows.map((row) => row.key_id);
}

/** Whether anything there may be encrypted; false for a database without tables, too. */
export async function hasEncryptionKeys(db: Knex): Promise<boolean> {
  if (!(await db.schema.hasTable('encryption_keys'))) return false;
  return (await db<EncryptionKeyRow>('encryption_keys').first('key_id')) !== undefined;
}

function checkKey(keys: KeyRing, { key_id: id, canary }: Pick<EncryptionKeyRow, 'key_id' | 'canary'>): void {
  if (!keys.has(id)) {
    const message = `the database was encrypted with the key "${id}", which is missing; add it to SVC_ENCRYPTION_KEYS`;
    throw new KeyRingError('unknown_key', message);
  }
  try {
    keys.decrypt(canary, place());
  } catch {
    const message = `the key "${id}" is not the one that the database was encrypted with; give the right key for this ID`;
    throw new KeyRingError('unreadable_value', message);
  }
}

/** The envelope itself names its key, so one place serves them all. */
function place(): Place {
  return { table: 'encryption_keys', column: 'canary', environmentId: 0, rowId: 0 };
}
