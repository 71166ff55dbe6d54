// RFC 9110 §5.1, §5.5
const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Names of hop-by-hop headers (RFC 9110 §7.6.1), in lower case. */
export const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/**
 * Names of headers that are hop-by-hop or control how the message is delimited and routed. `Proxy` is included because CGI
 * programs mistake it for the setting `HTTP_PROXY` (CVE-2016-5385).
 */
const FRAMING = new Set([...HOP_BY_HOP, 'host', 'content-length', 'expect', 'http2-settings', 'proxy']);

/**
 * Returns whether this header may be set only by the HTTP implementation that sends the message.
 *
 * @param key its name in lower case
 */
export function isFraming(key: string): boolean {
  return FRAMING.has(key) || key.startsWith('proxy-');
}

export function isHeaderValue(value: string): boolean {
  return VALUE.test(value);
}

/**
 * Checks a header that a plugin sets, and returns it with its name in lower case.
 *
 * @throws Error if only the HTTP implementation may set the header, or if name or value are invalid; the message continues a
 *   sentence about the plugin
 */
export function checkedHeader(name: string, value: unknown): [key: string, value: string] {
  const key = name.toLowerCase();
  if (isFraming(key)) throw new Error(`it set the header ${key}, which only the service may set`);
  if (!NAME.test(key) || typeof value !== 'string' || !VALUE.test(value))
    throw new Error('it set a header whose name or value is not valid');
  return [key, value];
}
