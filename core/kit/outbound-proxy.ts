import type { Socket } from 'node:net';
import { abortable } from './abortable.ts';
import { type AllowList, bareHost, parseAllowList, portOf } from './address-guard.ts';
import { OutboundError } from './outbound-error.ts';

/** Maximum size of the head of the proxy's response to CONNECT. */
const MAX_HEAD_BYTES = 16 * 1024;
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?: .*)?\r\n/;

/**
 * An HTTP proxy that opens tunnels (RFC 9110 §9.3.6), for networks from which hosts outside can only be reached through a proxy.
 */
export interface OutboundProxy {
  /** The proxy's name or address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** True when the connection to the proxy itself uses TLS. */
  readonly tls: boolean;
  /** The value of `Proxy-Authorization`: a secret. */
  readonly authorization?: string;
  /** The hosts and addresses that are called without the proxy. */
  readonly bypass: AllowList;
}

/**
 * Reads the settings of a proxy.
 *
 * @param url `http(s)://[user:password@]host:port`
 * @param bypass entries as `parseAllowList` reads them
 * @throws RangeError for a wrong entry of `bypass`
 */
export function readProxy(url: string, bypass: readonly string[]): OutboundProxy {
  const parsed = new URL(url);
  const { protocol, username, password } = parsed;
  const user = [username, password].map(decodeURIComponent).join(':');
  return {
    host: bareHost(parsed),
    port: portOf(parsed),
    tls: protocol === 'https:',
    ...(user !== ':' && { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
    bypass: parseAllowList(bypass),
  };
}

interface Tunnel {
  /** `host:port`, with brackets around an IPv6 address. */
  readonly authority: string;
  readonly authorization: string | undefined;
}

/**
 * Asks the proxy at the other end of a connection for a tunnel.
 *
 * @throws OutboundError when it refuses; the socket is then closed
 */
export async function openTunnel(socket: Socket, { authority, authorization }: Tunnel, signal: AbortSignal): Promise<void> {
  const credential = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credential}\r\n`);
  try {
    const [, status] = STATUS_LINE.exec(await abortable(signal, readHead(socket))) ?? [];
    if (status?.startsWith('2')) return;
    const said = status === undefined ? 'does not speak HTTP' : `refused a tunnel with ${status}`;
    throw new OutboundError('unreachable', `the outbound proxy ${said}`, { beforeSending: true });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/**
 * Reads the head of the proxy's response; empty if it is not usable. It is unusable if bytes follow, since the server behind the
 * tunnel must not send anything first.
 */
async function readHead(socket: Socket): Promise<string> {
  let head = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    head += (chunk as Buffer).toString('latin1');
    const end = head.indexOf('\r\n\r\n');
    if (end === head.length - 4 && end !== -1) return head;
    if (end !== -1 || head.length > MAX_HEAD_BYTES) break;
  }
  return '';
}
