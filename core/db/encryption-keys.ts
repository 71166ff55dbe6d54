import type { Knex } from 'knex';
import { type KeyRing, KeyRingError, type Place, versionOf } from '../kit/key-ring.ts';
import type { Logger } from '../kit/logger.ts';
import type { EncryptionKeyRow } from './rows.ts';
import { withTransaction } from './transaction.ts';

const CANARY = 'svc';
/** Its time in `schema_migrations` is when the first instance of this version met the database. */
const MIGRATION = '0023_row_authentication';
/** So long the release before may still run beside this one, which reads version 1 only. */
const WRITE_VERSION_1_SECONDS = 3_600;
/** After that, for instances of this version whose clock goes a little slower. */
const FINISH_AFTER_SECONDS = WRITE_VERSION_1_SECONDS + 600;
const LOOK_MS = 60_000;

type Canary = Pick<EncryptionKeyRow, 'key_id' | 'canary'>;

/**
 * Proves that the ring opens what lies in the database, before anything else is read or written: every key that was ever used
 * must be there and be the right one. A key used for the first time leaves its proof.
 *
 * The proofs also say, in a form that only an owner of the keys can write, whether the database still holds what the release
 * before wrote; the ring accepts that, or not.
 *
 * @throws KeyRingError naming the key's ID; the database is as before
 */
export async function checkEncryptionKeys(db: Knex, keys: KeyRing): Promise<void> {
  await withTransaction(db, async (trx) => {
    await trx.raw('lock table encryption_keys in exclusive mode'); // two instances may start on one empty database
    const known = await checkKnownKeys(trx, keys);
    if (known.includes(keys.currentKeyId)) return;
    const canary = sealCanary(keys, keys.currentKeyId);
    await trx<EncryptionKeyRow>('encryption_keys').insert({ key_id: keys.currentKeyId, canary });
  });
}

/** The same without leaving anything. @returns the IDs of the keys that were ever used @throws KeyRingError */
export async function checkKnownKeys(db: Knex, keys: KeyRing): Promise<readonly string[]> {
  const rows = await canaries(db);
  for (const row of rows) checkKey(keys, row);
  // None: an empty database, or one whose proofs were deleted. Neither contains trustworthy data of version 1.
  if (rows.length > 0 && rows.every(({ canary }) => versionOf(canary) === 1))
    keys.allowVersion1(Math.max(0, await secondsUntil(db, WRITE_VERSION_1_SECONDS)) * 1000);
  else keys.refuseVersion1();
  return rows.map((row) => row.key_id);
}

/** Whether anything there may be encrypted; false for a database without tables, too. */
export async function hasEncryptionKeys(db: Knex): Promise<boolean> {
  if (!(await db.schema.hasTable('encryption_keys'))) return false;
  return (await db<EncryptionKeyRow>('encryption_keys').first('key_id')) !== undefined;
}

/** Whether no instance writes version 1 any more, so that the remaining rows can be converted to version 2. */
export async function mayFinishVersion1(db: Knex): Promise<boolean> {
  return (await secondsUntil(db, FINISH_AFTER_SECONDS)) <= 0;
}

/** From now on, on every instance as soon as it looks, version 1 is refused. Nothing of it may be left that is needed. */
export async function finishVersion1(db: Knex, keys: KeyRing): Promise<void> {
  await withTransaction(db, async (trx) => {
    await trx.raw('lock table encryption_keys in exclusive mode');
    for (const { key_id } of await canaries(trx)) {
      await trx<EncryptionKeyRow>('encryption_keys')
        .where({ key_id })
        .update({ canary: sealCanary(keys, key_id, 2) });
    }
  });
  keys.refuseVersion1();
}

/** Looks now and then whether another instance has finished it. */
export function followVersion1({ db, keys, log }: { db: Knex; keys: KeyRing; log: Logger }): Disposable {
  const look = async () => {
    try {
      if (keys.allowsVersion1 && (await canaries(db)).some(({ canary }) => versionOf(canary) === 2)) keys.refuseVersion1();
    } catch (error) {
      log.warn('whether all stored values are in the newest form could not be looked up', { error });
    }
  };
  const timer = keys.allowsVersion1 ? setInterval(() => void look(), LOOK_MS).unref() : undefined;
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function canaries(db: Knex): Promise<Canary[]> {
  return db<EncryptionKeyRow>('encryption_keys').orderBy('created_at').select('key_id', 'canary');
}

async function secondsUntil(db: Knex, afterMigration: number): Promise<number> {
  const { rows }: { rows: { seconds: number }[] } = await db.raw(
    `select extract(epoch from applied_at - now())::float8 + ? as seconds from schema_migrations where name = ?`,
    [afterMigration, MIGRATION],
  );
  return rows[0]?.seconds ?? 0;
}

function sealCanary(keys: KeyRing, keyId: string, version: 1 | 2 = keys.allowsVersion1 ? 1 : 2): Buffer {
  return keys.encrypt(CANARY, place(version), keyId);
}

function checkKey(keys: KeyRing, { key_id: id, canary }: Canary): void {
  if (!keys.has(id)) {
    const message = `the database was encrypted with the key "${id}", which is missing; add it to SVC_ENCRYPTION_KEYS`;
    throw new KeyRingError('unknown_key', message);
  }
  try {
    keys.decrypt(canary, place(versionOf(canary)));
  } catch {
    const message = `the key "${id}" is not the one that the database was encrypted with; give the right key for this ID`;
    throw new KeyRingError('unreadable_value', message);
  }
}

/** The envelope itself names its key, so one place serves them all. */
function place(version: 1 | 2): Place {
  const first = { table: 'encryption_keys', column: 'canary', environmentId: 0, rowId: 0 };
  return version === 1 ? first : { ...first, boundTo: 'version 2' };
}
