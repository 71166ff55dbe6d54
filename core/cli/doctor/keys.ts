import type { Knex } from 'knex';
import { checkKnownKeys } from '../../db/encryption-keys.ts';
import { type KeyRing, KeyRingError } from '../../kit/key-ring.ts';
import { explain } from '../../process/start-fault.ts';
import { type Check, fail, ok, warn } from './check.ts';

const NAME = 'encryption-keys';
const FIX = 'set SVC_ENCRYPTION_KEYS to the keys that the database was made with; nothing stored can be read without them';

/** Whether the ring opens what every key that was ever used has left in the database. */
export async function checkKeys(db: Knex, keys: KeyRing): Promise<Check> {
  let used: readonly string[];
  try {
    used = await checkKnownKeys(db, keys);
  } catch (error) {
    if (error instanceof KeyRingError) return fail(NAME, error.message, FIX);
    return fail(NAME, explain(error), 'mend the database first');
  }
  const { currentKeyId } = keys;
  const idle = keys.keyIds.filter((id) => id !== currentKeyId && !used.includes(id));
  if (idle.length > 0) {
    const message = `these keys never encrypted anything here: ${idle.join(', ')}`;
    return warn(NAME, message, 'take what is not needed out of SVC_ENCRYPTION_KEYS, or put first what is meant to encrypt');
  }
  if (!used.includes(currentKeyId)) return ok(NAME, `the right ones; "${currentKeyId}" is new and used from the next start on`);
  return ok(NAME, `the right ones; "${currentKeyId}" encrypts`);
}
