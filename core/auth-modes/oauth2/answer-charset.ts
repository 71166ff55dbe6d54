const DECLARED = /;\s*charset\s*=\s*"?([^\s";]+)/i;
/** WHATWG Encoding §6: a byte order mark outweighs what was declared. */
const BYTE_ORDER_MARKS = [
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
] as const;

/**
 * A body as text in each charset that it may be in, the likeliest first: by its byte order mark, as declared, UTF-8 (RFC 8259
 * §8.1), Latin-1, in which any bytes are text.
 *
 * @param contentType the header of that name
 */
export function* decodings(body: Buffer, contentType = ''): Generator<string> {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => body.subarray(0, mark.length).equals(mark))?.[0];
  const declared = DECLARED.exec(contentType)?.[1];
  for (const charset of new Set([marked, declared?.toLowerCase(), 'utf-8', 'latin1'])) {
    const text = charset === undefined ? undefined : decode(body, charset);
    if (text !== undefined) yield text;
  }
}

/** Undefined for a charset that nobody knows, and for bytes that are no text in it. */
function decode(body: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
