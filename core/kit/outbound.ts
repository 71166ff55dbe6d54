import { LRUCache } from 'lru-cache';
import { parseAllowList } from './address-guard.ts';
import { type ClientCertificate, certificateId } from './client-certificate.ts';
import { GuardedConnect, type Resolver, resolveBySystem } from './guarded-connect.ts';
import type { Logger } from './logger.ts';
import { type Dialler, dialSocket } from './outbound-dial.ts';
import { type InsideOptions, InsidePools } from './outbound-inside.ts';
import { type ClosablePool, type OutboundPool, openPool } from './outbound-pool.ts';
import type { OutboundProxy } from './outbound-proxy.ts';
import type { Tracer } from './tracing.ts';

export type { OutboundRequest, OutboundResponse } from './outbound-call.ts';
export { MAX_HEAD_BYTES, OutboundError, toOutboundError } from './outbound-error.ts';
export type { OutboundPool } from './outbound-pool.ts';

/** Maximum number of client certificates whose connections are kept. */
const MAX_CERTIFICATES = 100;

/**
 * The only way in which the service makes outbound calls. Every address is checked before it is dialled, and no name is resolved
 * again between the check and the dialling.
 */
export interface Outbound extends OutboundPool, AsyncDisposable {
  /**
   * Refuses schemes except https (and http where the allow list opens the host), user info, and literal addresses that are not
   * public.
   *
   * @throws OutboundError `address_not_allowed`
   */
  check(url: URL): void;
  /**
   * Returns a pool with a client certificate (RFC 8705 §2). Request it again for each call: a pool that nobody requests is
   * closed.
   */
  withCertificate(certificate: ClientCertificate | undefined): OutboundPool;
  /**
   * Returns a pool for calls that this process itself serves, without a network socket. It is the only pool without address
   * checks: it can call only the URLs in `InsideOptions`, and no other pool can call these in this way.
   *
   * @param caller passed to `InsideOptions.respond`; a request cannot forge it
   */
  inside(caller: string): OutboundPool & Pick<Outbound, 'check'>;
}

/** The pools of an `Outbound`, without the right to dispose of it. */
export type OutboundDoors = Omit<Outbound, keyof AsyncDisposable>;

/** The facts that decide which pool a call uses. */
interface ConnectionRoute {
  /** See `Outbound.inside`. */
  readonly inside?: string | undefined;
  readonly certificate?: ClientCertificate | undefined;
}

export function poolFor(outbound: OutboundDoors, { inside, certificate }: ConnectionRoute): OutboundPool {
  if (inside !== undefined) return outbound.inside(inside);
  return certificate === undefined ? outbound : outbound.withCertificate(certificate);
}

interface OutboundOptions {
  /** Entries as `parseAllowList` reads them. */
  readonly allow: readonly string[];
  readonly proxy?: OutboundProxy | undefined;
  /** Default: the system's resolver. */
  readonly resolve?: Resolver | undefined;
  /** Default: `dialSocket`. Tests pass one that only records what is dialled. */
  readonly dial?: Dialler | undefined;
  /** The addresses that this process itself serves. Default: none. */
  readonly inside?: InsideOptions | undefined;
  /** Logs which addresses were refused, since errors do not say so. */
  readonly log?: Pick<Logger, 'warn'>;
  /** Creates a span for each bounded call. */
  readonly tracer?: Tracer | undefined;
}

/**
 * Creates the service's `Outbound`. A proxy in `HTTPS_PROXY` is not used: a proxy resolves names, so the addresses behind them
 * cannot be checked, which the operator must accept explicitly (`SVC_OUTBOUND_PROXY`).
 *
 * @throws RangeError for a wrong entry of `allow`
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { allow, proxy, resolve = resolveBySystem, dial = dialSocket, inside, log, tracer } = options;
  const guard = new GuardedConnect({ allow: parseAllowList(allow), proxy, resolve, dial, log });
  const { close, ...plain } = openPool(guard, { tracer });
  const pools = new CertificatePools(guard, tracer);
  const insidePools = new InsidePools(inside, tracer);
  return {
    ...plain,
    check: (url) => guard.check(url),
    withCertificate: (certificate) => (certificate === undefined ? plain : pools.get(certificate)),
    inside: (caller) => insidePools.get(caller),
    async [Symbol.asyncDispose]() {
      guard[Symbol.dispose]();
      await Promise.all([close('at once'), pools.close(), insidePools.close()]);
    },
  };
}

/** Keeps a pool for each certificate, so that a connection is never reused for calls with another certificate. */
class CertificatePools {
  readonly #guard: GuardedConnect;
  readonly #tracer: Tracer | undefined;
  readonly #open = new Set<ClosablePool>();
  readonly #recent = new LRUCache<string, ClosablePool>({
    max: MAX_CERTIFICATES,
    dispose: (pool) => void pool.close('calls under way end').then(() => this.#open.delete(pool)),
  });

  constructor(guard: GuardedConnect, tracer: Tracer | undefined) {
    this.#guard = guard;
    this.#tracer = tracer;
  }

  get(certificate: ClientCertificate): OutboundPool {
    const id = certificateId(certificate);
    const known = this.#recent.get(id);
    if (known !== undefined) return known;
    const pool = openPool(this.#guard, { certificate, tracer: this.#tracer });
    this.#open.add(pool);
    this.#recent.set(id, pool);
    return pool;
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#open, (pool) => pool.close('at once')));
  }
}
