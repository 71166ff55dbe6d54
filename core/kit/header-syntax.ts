// RFC 9110 §5.1, §5.5
const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** RFC 9110 §7.6.1, in lower case. */
export const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/** Hop-by-hop, or the framing of the message. `Proxy` is CVE-2016-5385. */
const FRAMING = new Set([...HOP_BY_HOP, 'host', 'content-length', 'expect', 'http2-settings', 'proxy']);

/** Whether only the sender of a message may set this header. @param key in lower case */
export function isFraming(key: string): boolean {
  return FRAMING.has(key) || key.startsWith('proxy-');
}

export function isHeaderValue(value: string): boolean {
  return VALUE.test(value);
}

/**
 * A header that code outside sets, its name in lower case.
 *
 * @throws Error, continuing a sentence about that code, if the sender alone may set it, or it cannot be sent
 */
export function checkedHeader(name: string, value: unknown): [key: string, value: string] {
  const key = name.toLowerCase();
  if (isFraming(key)) throw new Error(`it set the header ${key}`);
  if (!NAME.test(key) || typeof value !== 'string' || !VALUE.test(value))
    throw new Error('it set a header whose name or value is not valid');
  return [key, value];
}
