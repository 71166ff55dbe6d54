import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { abortable } from './abortable.ts';
import { type AllowList, bareHost, isPublicAddress, portOf } from './address-guard.ts';
import type { ClientCertificate } from './client-certificate.ts';
import type { Logger } from './logger.ts';
import type { Dialler, DialTarget } from './outbound-dial.ts';
import { addressNotAllowed, OutboundError, toOutboundError } from './outbound-error.ts';
import { type OutboundProxy, openTunnel } from './outbound-proxy.ts';
import { SingleFlight } from './single-flight.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Timeout for each address but the last, so that one dead address of a host does not use up the time of the others. */
const ATTEMPT_TIMEOUT_MS = 2_500;
const MAX_ATTEMPTS = 4;
/** Matches names of the machine itself (RFC 6761 §6.3); to a proxy, they would mean the machine on which the proxy runs. */
const LOCAL_NAME = /(?:^|\.)localhost$/;

/** Returns all addresses of a name. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

/** Resolves names with the system's resolver, hosts file included. */
export const resolveBySystem: Resolver = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

interface GuardOptions {
  readonly allow: AllowList;
  readonly resolve: Resolver;
  readonly dial: Dialler;
  /** The proxy through which hosts are called; if absent, they are called directly. */
  readonly proxy?: OutboundProxy | undefined;
  readonly log?: Pick<Logger, 'warn'> | undefined;
}

/**
 * Opens network connections to checked addresses only. The check is done here, where the socket is created, because a look-up
 * hook is not called for literal addresses, and because a name checked earlier may resolve differently now (DNS rebinding). With
 * a proxy, only literal addresses are checked here, because the proxy resolves the names.
 */
export class GuardedConnect implements Disposable {
  readonly #options: GuardOptions;
  readonly #closing = new AbortController();
  // getaddrinfo occupies one of few threads and cannot be stopped. With one look-up per name, a name whose servers do not respond
  // occupies one thread, not all of them.
  readonly #lookUps = new SingleFlight<string, readonly string[]>();

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /**
   * Refuses a URL that must not be called, if that can be decided without looking up its host.
   *
   * @throws OutboundError `address_not_allowed`
   */
  check(url: URL): void {
    const { host, port } = destination(url);
    const isOpened = this.#options.allow.opens(host, port);
    const isSchemeAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && isOpened);
    const hasUserInfo = url.username !== '' || url.password !== '';
    const isAddressAllowed = host !== '' && (isIP(host) === 0 || isOpened || isPublicAddress(host));
    if (!isSchemeAllowed || hasUserInfo || !isAddressAllowed) this.#refuse(url, []);
  }

  /**
   * Opens a connection to an origin.
   *
   * @param certificate presented to a server that asks for one
   * @throws OutboundError if the host must not be called, or cannot be reached
   */
  async connect(origin: URL, certificate?: ClientCertificate): Promise<Socket> {
    this.check(origin);
    const signal = AbortSignal.any([AbortSignal.timeout(CONNECT_TIMEOUT_MS), this.#closing.signal]);
    const { host, port } = destination(origin);
    const tls = origin.protocol === 'https:';
    const target = { host, port, tls, ...(tls && certificate !== undefined && { certificate }) };
    const { proxy } = this.#options;
    const isDirect = proxy === undefined || proxy.bypass.opens(host, port);
    try {
      if (!isDirect) return await this.#dialThrough(proxy, { origin, target }, signal);
      return await this.#dialInTurn(await this.#checkedAddresses(origin, signal), target, signal);
    } catch (error) {
      throw toOutboundError(error, { beforeSending: true });
    }
  }

  /** Aborts connections that are being opened. */
  [Symbol.dispose](): void {
    this.#closing.abort();
  }

  async #checkedAddresses(origin: URL, signal: AbortSignal): Promise<readonly string[]> {
    const { host, port } = destination(origin);
    if (isIP(host) !== 0) return [host];

    const addresses = await this.#lookUp(origin.hostname, signal);
    const { allow } = this.#options;
    const isAllowed = (address: string) => isPublicAddress(address) || allow.opens(address, port) || allow.opens(host, port);
    // One private address among public ones is an attack or a mistake in the DNS zone, so the public ones are not trusted either.
    if (!addresses.every((address) => isIP(address) !== 0 && isAllowed(address))) this.#refuse(origin, addresses);
    return addresses.slice(0, MAX_ATTEMPTS);
  }

  #lookUp(name: string, signal: AbortSignal): Promise<readonly string[]> {
    return abortable(
      signal,
      this.#lookUps.run(name, () => this.#options.resolve(name)),
    );
  }

  async #dialThrough(proxy: OutboundProxy, { origin, target }: TargetOfOrigin, signal: AbortSignal): Promise<Socket> {
    const { host, port, tls, authorization } = proxy;
    if (LOCAL_NAME.test(target.host)) this.#refuse(origin, []);
    // The address of the proxy is not checked, because the operator has chosen it.
    const addresses = isIP(host) !== 0 ? [host] : (await this.#lookUp(host, signal)).slice(0, MAX_ATTEMPTS);
    const tunnel = await this.#dialInTurn(addresses, { host, port, tls }, signal);
    const authority = `${origin.hostname}:${target.port}`;
    try {
      await openTunnel(tunnel, { authority, authorization }, signal);
    } catch (error) {
      // The error that callers see only mentions the provider, so the log must say that the proxy has failed.
      if (error instanceof OutboundError) this.#options.log?.warn(error.message, { host: authority });
      throw error;
    }
    return target.tls ? this.#dialInTurn([target.host], { ...target, tunnel }, signal) : tunnel;
  }

  async #dialInTurn(addresses: readonly string[], target: Target, signal: AbortSignal): Promise<Socket> {
    const servername = isIP(target.host) === 0 && { servername: target.host };
    let fault: unknown = new Error('the name has no address');
    for (const [index, address] of addresses.entries()) {
      const isLast = index === addresses.length - 1;
      const attempt = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
      try {
        return await this.#options.dial({ ...target, ...servername, address, signal: attempt });
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

type Target = Omit<DialTarget, 'address' | 'servername' | 'signal'>;

interface TargetOfOrigin {
  readonly origin: URL;
  readonly target: Target;
}

function destination(url: URL): { readonly host: string; readonly port: number } {
  return { host: bareHost(url), port: portOf(url) };
}
