/**
 * Control characters, which act on a terminal, characters that change the direction of the text around them, and halves of
 * surrogate pairs.
 */
const UNSAFE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Returns whether a text could change how the text around it is shown. */
export function isUnsafe(text: string): boolean {
  return text.search(UNSAFE) !== -1;
}

/** Escapes such characters as JSON does (RFC 8259 §7), for a terminal: JSON stays the same value. */
export function escapeUnsafe(text: string): string {
  return text.replaceAll(UNSAFE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
