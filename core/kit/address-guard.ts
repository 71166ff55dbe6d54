import { BlockList, isIP, SocketAddress } from 'node:net';

/**
 * Ranges of the IANA IPv4 Special-Purpose Address Registry and of the multicast registry. Some of them are globally reachable
 * (such as 192.88.99.0/24), but nothing that the service calls has an address there.
 */
const SPECIAL_V4 = subnets([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; also the metadata address 100.100.100.200
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's platform host: a public address, but reachable only from inside the cloud
  '169.254.0.0/16', // link-local; also the metadata address 169.254.169.254
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; also the metadata address 192.0.0.192
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

/**
 * The only range that IANA has allocated for global unicast. Loopback, ULA, NAT64, v4-compatible and other special addresses are
 * outside it.
 */
const GLOBAL_UNICAST_V6 = subnets(['2000::/3']);

const SPECIAL_V6 = subnets([
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: contains an IPv4 address, to which the relay sends
  '3fff::/20', // documentation
]);

/**
 * The hosts and addresses that the operator allows in addition to public addresses. An entry without a port allows every port.
 */
export interface AllowList {
  /**
   * Returns whether the operator allows this host and port.
   *
   * @param host a name or an address as `new URL` writes it, without brackets and without a dot at the end
   */
  opens(host: string, port: number): boolean;
}

/**
 * Returns whether an address may be dialled without the operator's permission: it is global unicast and has no special purpose.
 * False for a text that is not an address, and for an address with a zone.
 */
export function isPublicAddress(address: string): boolean {
  const plain = unmapped(address);
  switch (isIP(plain)) {
    case 4:
      return !SPECIAL_V4.check(plain);
    case 6:
      return GLOBAL_UNICAST_V6.check(plain, 'ipv6') && !SPECIAL_V6.check(plain, 'ipv6');
    default:
      return false;
  }
}

/**
 * Reads entries such as `tracker.internal`, `tracker.internal:8080`, `10.1.2.3`, `10.0.0.0/8`, `[fd00::1]:443`.
 *
 * @throws RangeError that names every wrong entry
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  const texts = entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
  const rules = texts.map((text) => ({ text, rule: parseEntry(text) }));
  const wrong = rules.filter(({ rule }) => rule === undefined).map(({ text }) => JSON.stringify(text));
  if (wrong.length > 0) throw new RangeError(`not a host, host:port, IP address or CIDR: ${wrong.join(', ')}`);
  return { opens: (host, port) => rules.some(({ rule }) => rule?.(unmapped(host), port)) };
}

type AddressRule = (host: string, port: number) => boolean;

function parseEntry(entry: string): AddressRule | undefined {
  if (entry.includes('/')) return subnetRule(entry);
  if (isIP(entry) === 6) return hostRule(`[${entry}]`, undefined);
  const [, host, port] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  return host === undefined ? undefined : hostRule(host, port === undefined ? undefined : Number(port));
}

function subnetRule(entry: string): AddressRule | undefined {
  const [network = '', prefix = ''] = entry.split('/', 2);
  const bits = isIP(network) === 4 ? 32 : 128;
  const isSubnet = isIP(network) !== 0 && !network.includes('%') && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
  if (!isSubnet || entry.split('/').length !== 2) return undefined;
  const list = subnets([entry]);
  return (host) => isListed(list, host);
}

/**
 * Returns the rule for a host. The host is parsed like that of a URL, so that `0x7f.1`, `Tracker.Internal` and
 * `tracker.internal.` match the hosts that they denote.
 */
function hostRule(text: string, port: number | undefined): AddressRule | undefined {
  if (/[\s/\\?#@%*]/.test(text) || port === 0 || (port ?? 0) > 65_535) return undefined;
  const url = URL.parse(`https://${text}`);
  if (url === null) return undefined;
  const wanted = unmapped(bareHost(url));
  if (wanted === '') return undefined;
  return (host, actualPort) => host === wanted && (port === undefined || port === actualPort);
}

/** Returns the host of a URL without the brackets of an IPv6 address and without the dot that ends a fully qualified name. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/** Returns the port of a URL, or the default port of its scheme; 0 if there is neither. */
export function portOf({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number {
  return port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port);
}

/**
 * Returns `a.b.c.d` for `::ffff:a.b.c.d`, since that is the address which the system dials (RFC 4291 §2.5.5.2), and other IPv6
 * addresses in canonical spelling. Returns other texts unchanged, and an empty text for an address with a zone.
 */
export function unmapped(host: string): string {
  if (isIP(host) !== 6) return host;
  if (host.includes('%')) return ''; // with a zone it is never one of the addresses we know
  const { address } = new SocketAddress({ address: host, family: 'ipv6' });
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

export function isListed(list: BlockList, host: string): boolean {
  const family = isIP(host);
  return family !== 0 && list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** Returns a list of networks that addresses can be checked against. @param entries addresses and CIDRs */
export function subnets(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [network = '', prefix] = entry.split('/');
    const family = isIP(network) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
