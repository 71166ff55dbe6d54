import { createHmac } from 'node:crypto';
import { canonicalJson } from '../../kit/canonical-json.ts';
import { timingSafeEqualBytes } from '../../kit/timing-safe-equal.ts';
import type { AuditEntryRow, AuditHeadRow } from './audit-rows.ts';

const ENTRY = 'svc audit entry 1';
const HEAD = 'svc audit head 1';
/** The previous HMAC of the first entry, which has no entry before it. */
export const NO_MAC = Buffer.alloc(0);

/**
 * Replaces the HMAC of the entry before where the head was not as it was written, so that the new entry does not repair the chain.
 */
export const UNLINKED = Buffer.from('unlinked');

type UnsignedEntry = Omit<AuditEntryRow, 'mac'>;

/** Returns the HMAC-SHA256 over every member, the HMAC of the entry before included: nothing can be changed, taken out or moved. */
export function entryMac(key: Buffer, { at, previous_mac: previous, ...entry }: UnsignedEntry): Buffer {
  return hmac(key, [ENTRY, { ...entry, at: at.toISOString(), previous_mac: previous.toString('hex') }]);
}

/** Returns the proof that this was the last entry once: an end that is cut off cannot be given another head. */
export function headProof(key: Buffer, { sequence, mac, key_id: keyId }: Omit<AuditHeadRow, 'proof'>): Buffer {
  return hmac(key, [HEAD, sequence, keyId, mac?.toString('hex') ?? null]);
}

/** Returns whether the head is as it was written. @param key the key that `head.key_id` names */
export function isProven({ proof, ...head }: AuditHeadRow, key: Buffer): boolean {
  return proof !== null && timingSafeEqualBytes(proof, headProof(key, head));
}

function hmac(key: Buffer, value: unknown): Buffer {
  return createHmac('sha256', key).update(canonicalJson(value), 'utf8').digest();
}
