import { timingSafeEqual } from 'node:crypto';

/** Compares bytes in a time that does not depend on where they differ; it reveals only whether their lengths differ. */
export function timingSafeEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** Compares the UTF-8 forms of two strings as `timingSafeEqualBytes` does. */
export function timingSafeEqualText(a: string, b: string): boolean {
  return timingSafeEqualBytes(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}
