// RFC 9110 §5.1, §5.5
const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Names of hop-by-hop headers (RFC 9110 §7.6.1), in lower case. */
export const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/** Names of headers that are hop-by-hop or frame the message. `Proxy` is on the list because of CVE-2016-5385. */
const FRAMING = new Set([...HOP_BY_HOP, 'host', 'content-length', 'expect', 'http2-settings', 'proxy']);

/** Returns whether only the sender of an HTTP message may set this header. @param key its name in lower case */
export function isFraming(key: string): boolean {
  return FRAMING.has(key) || key.startsWith('proxy-');
}

export function isHeaderValue(value: string): boolean {
  return VALUE.test(value);
}

/**
 * Checks a header that a plugin sets, and returns it with its name in lower case.
 *
 * @throws Error, which continues a sentence about the plugin, if only the sender may set the header, or it cannot be sent
 */
export function checkedHeader(name: string, value: unknown): [key: string, value: string] {
  const key = name.toLowerCase();
  if (isFraming(key)) throw new Error(`it set the header ${key}`);
  if (!NAME.test(key) || typeof value !== 'string' || !VALUE.test(value))
    throw new Error('it set a header whose name or value is not valid');
  return [key, value];
}
