import type { Knex } from 'knex';

export interface EncryptionKeyRow {
  readonly key_id: string;
  /** A known value that the key has sealed: a key that opens it is the right one. */
  readonly canary: Buffer;
  readonly created_at: Date;
  /** The time since which the key does not encrypt; null while it may. */
  readonly retired_at: Date | null;
  /** The time since which the key need not be in the key ring, because no stored value needs it; null before that. */
  readonly unneeded_at: Date | null;
}

export type KnownKey = Pick<EncryptionKeyRow, 'key_id' | 'canary' | 'retired_at' | 'unneeded_at'>;

/** Locks the table until the transaction ends, since two instances may start on an empty database at the same time. */
export async function lockKnownKeys(trx: Knex): Promise<void> {
  await trx.raw('lock table encryption_keys in exclusive mode');
}

/** Returns all keys that were ever used, the oldest first. */
export function knownKeys(db: Knex): Promise<KnownKey[]> {
  return db<EncryptionKeyRow>('encryption_keys').orderBy('created_at').select('key_id', 'canary', 'retired_at', 'unneeded_at');
}

export async function addKnownKey(db: Knex, keyId: string, canary: Buffer): Promise<void> {
  await db<EncryptionKeyRow>('encryption_keys').insert({ key_id: keyId, canary }).onConflict('key_id').ignore();
}

/** Retires all keys but this one. From now on, every instance that has this key encrypts with it, and none with the others. */
export async function retireOthers(db: Knex, keyId: string): Promise<void> {
  await db.raw(
    `update encryption_keys set
       retired_at = case when key_id <> :keyId then coalesce(retired_at, clock_timestamp()) end,
       unneeded_at = case when key_id <> :keyId then unneeded_at end`,
    { keyId },
  );
}

/** Records that no stored value needs these keys any more. */
export async function markUnneeded(db: Knex, keyIds: readonly string[]): Promise<void> {
  await db<EncryptionKeyRow>('encryption_keys')
    .whereIn('key_id', [...keyIds])
    .whereNull('unneeded_at')
    .update({ unneeded_at: db.fn.now() });
}

/** Returns whether the database may hold encrypted values; false also for a database without tables. */
export async function hasEncryptionKeys(db: Knex): Promise<boolean> {
  if (!(await db.schema.hasTable('encryption_keys'))) return false;
  return (await db<EncryptionKeyRow>('encryption_keys').first('key_id')) !== undefined;
}
