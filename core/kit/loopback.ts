const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/;

/**
 * Returns whether a host is the machine itself (RFC 6890 §2.2.2).
 *
 * @param host of a URL in its canonical form, or an IP address
 */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
