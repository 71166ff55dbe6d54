import { createHmac } from 'node:crypto';
import { canonicalJson } from '../../kit/canonical-json.ts';
import { timingSafeEqualBytes } from '../../kit/timing-safe-equal.ts';
import type { AuditEntryRow, AuditHeadRow } from './audit-rows.ts';

const ENTRY = 'svc audit entry 1';
const HEAD = 'svc audit head 1';
/** Stands for the previous HMAC in the first entry, which has no predecessor. */
export const NO_MAC = Buffer.alloc(0);

/**
 * Stands for the previous HMAC in an entry that was added when the head had been altered, so that the new entry does not repair
 * the chain.
 */
export const UNLINKED = Buffer.from('unlinked');

type UnsignedEntry = Omit<AuditEntryRow, 'mac'>;

/**
 * Returns the HMAC-SHA256 over all fields of an entry, including the HMAC of the previous entry, so that no entry can be changed,
 * removed or moved unnoticed.
 */
export function entryMac(key: Buffer, { at, previous_mac: previous, ...entry }: UnsignedEntry): Buffer {
  return hmac(key, [ENTRY, { ...entry, at: at.toISOString(), previous_mac: previous.toString('hex') }]);
}

/**
 * Returns the proof that this was the last entry at some time. Without the key nobody can write a head for the entries that
 * remain after the end was cut off.
 */
export function headProof(key: Buffer, { sequence, mac, key_id: keyId }: Omit<AuditHeadRow, 'proof'>): Buffer {
  return hmac(key, [HEAD, sequence, keyId, mac?.toString('hex') ?? null]);
}

/** Returns whether the head is unaltered. @param key the key that `head.key_id` names */
export function isProven({ proof, ...head }: AuditHeadRow, key: Buffer): boolean {
  return proof !== null && timingSafeEqualBytes(proof, headProof(key, head));
}

function hmac(key: Buffer, value: unknown): Buffer {
  return createHmac('sha256', key).update(canonicalJson(value), 'utf8').digest();
}
