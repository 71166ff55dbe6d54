import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { hashSecret } from '../../../kit/random-id.ts';

const COUNT = 10;
const BYTES = 10;
/** Crockford's base32, which omits letters that look like digits. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const hashes = z.array(z.string());

/** Creates ten codes of 80 random bits each, such as `3k8v-01tq-zm5c-9y2d`. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: COUNT }, () => {
    const bits = BigInt(`0x${randomBytes(BYTES).toString('hex')}`);
    const digits = Array.from({ length: 16 }, (_, at) => DIGITS[Number((bits >> BigInt(5 * at)) & 31n)]);
    return digits.join('').replace(/.{4}(?=.)/g, '$&-');
  });
}

/** Returns the form in which codes are stored: their hashes only. */
export function hashedCodes(codes: readonly string[]): string {
  return JSON.stringify(codes.map(hashOf));
}

/** @returns the stored form of the remaining codes, and their number; undefined when `code` is none of them */
export function withoutCode(stored: string, code: string): { readonly stored: string; readonly left: number } | undefined {
  const known = hashes.parse(JSON.parse(stored));
  const left = known.filter((hash) => hash !== hashOf(code));
  return left.length === known.length ? undefined : { stored: JSON.stringify(left), left: left.length };
}

export function countCodes(stored: string): number {
  return hashes.parse(JSON.parse(stored)).length;
}

/**
 * Hashes a code as somebody typed it: case and separators do not matter, and letters that look like digits count as those digits.
 */
function hashOf(code: string): string {
  const digits = code
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
  return hashSecret(digits).toString('base64');
}
