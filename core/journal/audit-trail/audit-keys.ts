import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { nextId } from '../../db/next-id.ts';
import type { KeyRing, Place } from '../../kit/key-ring.ts';
import type { AuditKeyRow } from './audit-rows.ts';
import { insertAuditKey } from './audit-store.ts';

const KEY_BYTES = 32;

export interface AuditDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
}

/** The key that entries are authenticated with. */
interface AuditKey {
  readonly id: number;
  readonly secret: Buffer;
}

export function auditKeyPlace(id: number): Place {
  return { table: 'audit_keys', column: 'secret', environmentId: 0, rowId: id };
}

/** Decrypts a key of the trail. @throws KeyRingError when the ring cannot decrypt it */
export function openAuditKey(keys: KeyRing, { id, secret }: Pick<AuditKeyRow, 'id' | 'secret'>): AuditKey {
  return { id, secret: Buffer.from(keys.decrypt(secret, auditKeyPlace(id)), 'base64') };
}

/**
 * Returns the key for the next entry: the newest one or, if the ring has begun to encrypt with another key since that was
 * created, a new one. The rotation of the ring re-encrypts the old audit keys, so existing entries remain valid, and somebody who
 * knows the old ring cannot continue the trail.
 */
export async function currentAuditKey({ db, keys }: AuditDeps, newest: AuditKeyRow | undefined): Promise<AuditKey> {
  if (newest?.made_under === keys.currentKeyId) return openAuditKey(keys, newest);
  const key = { id: await nextId(db, 'audit_keys'), secret: randomBytes(KEY_BYTES) };
  const secret = keys.encrypt(key.secret.toString('base64'), auditKeyPlace(key.id));
  await insertAuditKey(db, { id: key.id, secret, made_under: keys.currentKeyId });
  return key;
}
