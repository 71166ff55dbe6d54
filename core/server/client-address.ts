import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isListed, subnets, unmapped } from '../kit/address-guard.ts';
import type { Logger } from '../kit/logger.ts';

/**
 * Creates the function that determines a client's address: the nearest one that is not a trusted proxy.
 *
 * `X-Forwarded-For` is read from its right end, where the operator's own proxies write; everything to the left of the first other
 * address may be forged.
 *
 * @param trusted addresses and CIDRs
 * @param log gets a single warning about a proxy that is not among them: all its clients then count as one
 */
export function createClientAddress(trusted: readonly string[], log: Pick<Logger, 'warn'>): (request: IncomingMessage) => string {
  const proxies = subnets(trusted);
  let hasWarned = false;
  const warnOf = (proxy: string) => {
    if (hasWarned) return;
    hasWarned = true;
    log.warn(
      'X-Forwarded-For came from an address that is not in SVC_TRUSTED_PROXIES; if it is your reverse proxy, add it there',
      { proxy },
    );
  };

  return (request) => {
    // An IPv4 caller of a socket that listens on IPv6 appears as `::ffff:192.0.2.1`.
    const { remoteAddress = '' } = request.socket;
    let address = unmapped(remoteAddress) || remoteAddress;
    if (request.headers['x-forwarded-for'] !== undefined && !isListed(proxies, address)) warnOf(address);
    if (trusted.length === 0) return address;
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    while (isListed(proxies, address)) {
      const before = unmapped(forwarded.pop()?.trim() ?? '');
      if (isIP(before) === 0) return address;
      address = before;
    }
    return address;
  };
}

/**
 * Returns the /64 network of an IPv6 address: one subscriber has all of its addresses (RFC 6177), so they count as one client.
 *
 * @returns an IPv4 address unchanged
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  return [...groups, ...Array(zeros).fill('0'), ...after].slice(0, 4).join(':');
}
