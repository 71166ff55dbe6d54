import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { ServiceError } from '../../errors.ts';
import { timingSafeEqualBytes } from '../../kit/timing-safe-equal.ts';

/** Each derivation takes 64 MiB and about half a second (OWASP Password Storage Cheat Sheet, scrypt). */
const COST = { N: 2 ** 16, r: 8, p: 2 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const MIN_LENGTH = 12;
const MAX_LENGTH = 128;
/** `scrypt$<N>$<r>$<p>$<salt>$<key>`, where salt and key are base64url. */
const STORED = /^scrypt\$(\d{1,8})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22,86})\$([\w-]{43})$/;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
/** Limits concurrent derivations: each takes 64 MiB, and many at once would exhaust the memory of the process. */
const turns = pLimit(2);
/** Maximum number of waiting derivations, which is about ten seconds of waiting. */
const MAX_WAITING = 40;

/** @returns the form in which a password is stored */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Returns whether a text is the stored form of a password, which operators may configure in place of the password. */
export function isPasswordHash(text: string): boolean {
  return STORED.test(text);
}

/**
 * @param stored undefined if there is nothing to compare with; the check then takes as long as any other, so that its duration
 *   does not reveal who is a member
 */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const parts = STORED.exec(stored ?? '');
  if (parts === null) {
    await keyOf(password, Buffer.alloc(SALT_BYTES), COST);
    return false;
  }
  const [, n, r, p, salt = '', key = ''] = parts;
  const derived = await keyOf(password, Buffer.from(salt, 'base64url'), { N: Number(n), r: Number(r), p: Number(p) });
  return timingSafeEqualBytes(derived, Buffer.from(key, 'base64url'));
}

/** @throws ServiceError `invalid_body`, with a detail for `field`, if the password is too short or too long */
export function checkNewPassword(password: string, field = 'password'): void {
  const length = [...password].length;
  if (length >= MIN_LENGTH && length <= MAX_LENGTH) return;
  const message = `must have ${MIN_LENGTH} to ${MAX_LENGTH} characters`;
  throw new ServiceError('invalid_body', `${field} ${message}`, {
    details: [{ code: 'password_length', message, path: [field] }],
  });
}

/** @throws ServiceError `overloaded` if too many derivations are waiting */
async function keyOf(password: string, salt: Buffer, { N, r, p }: { N: number; r: number; p: number }): Promise<Buffer> {
  if (turns.pendingCount >= MAX_WAITING)
    throw new ServiceError('overloaded', 'too many passwords are being checked; try again', { retryAfterSeconds: 10 });
  // NIST SP 800-63B §3.1.1.2: keyboards encode the same letters differently, which normalization makes equal.
  return turns(() => derive(password.normalize('NFKC'), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r }));
}
