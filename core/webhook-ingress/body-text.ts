const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/**
 * A body's text, less one byte order mark. Nothing is replaced: what was signed must not become something else on its way.
 *
 * @returns undefined where the bytes are no text of the charset that is declared, UTF-8 where none is
 */
export function textOf(bytes: Uint8Array, contentType: string): string | undefined {
  try {
    return new TextDecoder(charsetOf(bytes, contentType), { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The mark decides which half of a unit of UTF-16 comes first (RFC 2781 §4.3); a decoder takes it for the little end. */
function charsetOf(bytes: Uint8Array, contentType: string): string {
  const charset = CHARSET.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
  return charset === 'utf-16' && bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : charset;
}
