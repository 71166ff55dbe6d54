import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { abortable } from './abortable.ts';
import { type AllowList, bareHost, isPublicAddress } from './address-guard.ts';
import type { ClientCertificate } from './client-certificate.ts';
import type { Logger } from './logger.ts';
import type { Dialler } from './outbound-dial.ts';
import { addressNotAllowed, toOutboundError } from './outbound-error.ts';
import { SingleFlight } from './single-flight.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** For each address but the last, so that one dead address of a host does not use up the time of the others. */
const ATTEMPT_TIMEOUT_MS = 2_500;
const MAX_ATTEMPTS = 4;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/** All addresses of a name. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

/** The system's resolver, hosts file included. */
export const resolveBySystem: Resolver = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

interface GuardOptions {
  readonly allow: AllowList;
  readonly resolve: Resolver;
  readonly dial: Dialler;
  readonly log?: Pick<Logger, 'warn'> | undefined;
}

/**
 * Opens connections to checked addresses only. The check stands here, where the socket is made, because a look-up hook is not
 * called for literal addresses, and because a name checked earlier may resolve differently now (DNS rebinding).
 */
export class GuardedConnect implements Disposable {
  readonly #options: GuardOptions;
  readonly #closing = new AbortController();
  // getaddrinfo holds one of few threads and cannot be stopped: a name whose servers are dead may hold one, not all of them.
  readonly #lookUps = new SingleFlight<string, readonly string[]>();

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** Refuses what can be refused without a look-up. @throws OutboundError `address_not_allowed` */
  check(url: URL): void {
    const { host, port } = destination(url);
    const isOpened = this.#options.allow.opens(host, port);
    const isSchemeAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && isOpened);
    const hasUserInfo = url.username !== '' || url.password !== '';
    const isAddressAllowed = host !== '' && (isIP(host) === 0 || isOpened || isPublicAddress(host));
    if (!isSchemeAllowed || hasUserInfo || !isAddressAllowed) this.#refuse(url, []);
  }

  /** @param certificate presented to a server that asks for one; @throws OutboundError */
  async connect(origin: URL, certificate?: ClientCertificate): Promise<Socket> {
    this.check(origin);
    const signal = AbortSignal.any([AbortSignal.timeout(CONNECT_TIMEOUT_MS), this.#closing.signal]);
    try {
      const addresses = await this.#checkedAddresses(origin, signal);
      return await this.#dialInTurn({ origin, addresses, certificate }, signal);
    } catch (error) {
      throw toOutboundError(error, { beforeSending: true });
    }
  }

  /** Gives up what is being connected. */
  [Symbol.dispose](): void {
    this.#closing.abort();
  }

  async #checkedAddresses(origin: URL, signal: AbortSignal): Promise<readonly string[]> {
    const { host, port } = destination(origin);
    if (isIP(host) !== 0) return [host];

    const name = origin.hostname;
    const addresses = await abortable(
      signal,
      this.#lookUps.run(name, () => this.#options.resolve(name)),
    );
    const { allow } = this.#options;
    const isAllowed = (address: string) => isPublicAddress(address) || allow.opens(address, port) || allow.opens(host, port);
    // One inner address among public ones is an attack or a fault of the zone; the public ones are no safer for it.
    if (!addresses.every((address) => isIP(address) !== 0 && isAllowed(address))) this.#refuse(origin, addresses);
    return addresses.slice(0, MAX_ATTEMPTS);
  }

  async #dialInTurn({ origin, addresses, certificate }: CheckedOrigin, signal: AbortSignal): Promise<Socket> {
    const { host, port } = destination(origin);
    const tls = origin.protocol === 'https:';
    const named = {
      ...(isIP(host) === 0 && { servername: host }),
      ...(tls && certificate !== undefined && { certificate }),
    };
    let fault: unknown = new Error('the name has no address');
    for (const [index, address] of addresses.entries()) {
      const isLast = index === addresses.length - 1;
      const attempt = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
      try {
        return await this.#options.dial({ address, port, host, tls, ...named, signal: attempt });
      } catch (error) {
        fault = error;
        if (signal.aborted) break;
      }
    }
    throw fault;
  }

  #refuse(url: URL, addresses: readonly string[]): never {
    this.#options.log?.warn('outbound address refused', { protocol: url.protocol, host: url.host, addresses });
    throw addressNotAllowed();
  }
}

interface CheckedOrigin {
  readonly origin: URL;
  readonly addresses: readonly string[];
  readonly certificate: ClientCertificate | undefined;
}

function destination(url: URL): { readonly host: string; readonly port: number } {
  return { host: bareHost(url), port: url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port) };
}
