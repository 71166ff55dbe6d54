import { timingSafeEqual } from 'node:crypto';

/** Compares in a time that does not depend on where the bytes differ; only a difference in length shows. */
export function timingSafeEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** `timingSafeEqualBytes` over the UTF-8 form of two strings. */
export function timingSafeEqualText(a: string, b: string): boolean {
  return timingSafeEqualBytes(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}
