import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * Makes the function that tells where a request came from: the nearest address that is not one of the trusted proxies.
 *
 * `X-Forwarded-For` is read from its right end, where our own proxies write; what stands left of the first stranger is
 * hearsay.
 *
 * @param trusted addresses and CIDRs
 */
export function createClientAddress(trusted: readonly string[]): (request: IncomingMessage) => string {
  const proxies = new BlockList();
  for (const entry of trusted) addEntry(proxies, entry);
  const isTrusted = (address: string) => proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (request) => {
    let address = plain(request.socket.remoteAddress ?? '');
    if (trusted.length === 0) return address;
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    while (isTrusted(address)) {
      const before = plain(forwarded.pop()?.trim() ?? '');
      if (isIP(before) === 0) return address;
      address = before;
    }
    return address;
  };
}

function addEntry(list: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/');
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

/** An IPv4 caller of a socket that listens on IPv6 arrives as `::ffff:192.0.2.1`. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
