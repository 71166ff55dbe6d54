const DECLARED = /;\s*charset\s*=\s*"?([^\s";]+)/i;
/** WHATWG Encoding §6: a byte order mark takes precedence over the declared charset. */
const BYTE_ORDER_MARKS = [
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
] as const;

/**
 * Yields the body decoded in each possible charset, beginning with the most likely: that of its byte order mark, the declared
 * one, UTF-8 (RFC 8259 §8.1), and Latin-1, in which all bytes are valid.
 *
 * @param contentType the `Content-Type` header
 */
export function* decodings(body: Buffer, contentType = ''): Generator<string> {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => body.subarray(0, mark.length).equals(mark))?.[0];
  const declared = DECLARED.exec(contentType)?.[1];
  for (const charset of new Set([marked, declared?.toLowerCase(), 'utf-8', 'latin1'])) {
    const text = charset === undefined ? undefined : decode(body, charset);
    if (text !== undefined) yield text;
  }
}

/** Decodes a body; undefined if the charset is unknown or the body is invalid in it. */
function decode(body: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
