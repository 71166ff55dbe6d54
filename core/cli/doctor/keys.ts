import type { Knex } from 'knex';
import { type KeyRing, KeyRingError } from '../../kit/key-ring.ts';
import { checkKnownKeys } from '../../operate/keys/encryption-keys.ts';
import { explain } from '../../operate/start-fault.ts';
import { type DoctorCheck, fail, ok, warn } from './check.ts';

const NAME = 'encryption-keys';
const FIX =
  'set SVC_ENCRYPTION_KEYS to the keys that the other instances, or its backup, have; without them no stored secret can be read';

/** Checks whether the ring has the right value of every key that ever encrypted something in the database. */
export async function checkKeys(db: Knex, keys: KeyRing): Promise<DoctorCheck> {
  let used: readonly string[];
  try {
    used = await checkKnownKeys(db, keys);
  } catch (error) {
    if (error instanceof KeyRingError) return fail(NAME, error.message, FIX);
    return fail(NAME, explain(error), 'fix the database first');
  }
  const { currentKeyId } = keys;
  const unused = keys.keyIds.filter((id) => id !== currentKeyId && !used.includes(id));
  if (unused.length > 0) {
    const message = `these keys have never encrypted anything: ${unused.join(', ')}`;
    return warn(NAME, message, 'remove unneeded keys from SVC_ENCRYPTION_KEYS, or put the key that should encrypt first');
  }
  if (!used.includes(currentKeyId))
    return ok(NAME, `all correct; "${currentKeyId}" is new and will encrypt from the next start on`);
  return ok(NAME, `all correct; "${currentKeyId}" encrypts`);
}
