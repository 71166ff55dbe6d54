const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/**
 * Decodes a body, without its byte order mark. Invalid bytes are not replaced: signed content must not change.
 *
 * @returns undefined if the bytes are invalid in the declared charset, by default UTF-8
 */
export function textOf(bytes: Uint8Array, contentType: string): string | undefined {
  try {
    return new TextDecoder(charsetOf(bytes, contentType), { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** In `utf-16` the byte order mark determines the byte order (RFC 2781 §4.3); TextDecoder assumes little-endian. */
function charsetOf(bytes: Uint8Array, contentType: string): string {
  const charset = CHARSET.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
  return charset === 'utf-16' && bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : charset;
}
