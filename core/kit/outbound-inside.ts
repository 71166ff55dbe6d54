import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { addressNotAllowed } from './outbound-error.ts';
import { type ClosablePool, type Destination, type OutboundPool, originOf, poolOf } from './outbound-pool.ts';
import { outsideSpans, type Tracer } from './tracing.ts';

/** Maximum number of callers (see `Outbound.inside`) whose connections are kept open. */
const MAX_CALLERS = 100;

export interface InsideOptions {
  /** A URL that ends with a slash. It and all URLs below it are "inside", that is, served by this process. */
  readonly below: URL;
  /** Serves a request. Called for all paths, so it must refuse those that do not exist. */
  readonly respond: (caller: string, request: IncomingMessage, response: ServerResponse) => void;
}

interface InsidePool extends OutboundPool {
  /** @throws OutboundError for a URL that is not inside */
  check(url: URL): void;
}

/**
 * Creates pools for HTTP without a network: both ends of each connection are in this process, so that the hosts need not be
 * resolvable or reachable from here, and the other end is always `respond`.
 */
export class InsidePools {
  readonly #options: InsideOptions | undefined;
  readonly #tracer: Tracer | undefined;
  /** This server never listens; connections are passed to it as events. */
  readonly #server = createServer((request, response) => this.#serve(request, response));
  readonly #callers = new WeakMap<Duplex, string>();
  readonly #open = new Set<ClosablePool>();
  readonly #recent = new LRUCache<string, InsidePool & ClosablePool>({
    max: MAX_CALLERS,
    dispose: (pool) => void pool.close('calls under way end').then(() => this.#open.delete(pool)),
  });

  constructor(options: InsideOptions | undefined, tracer: Tracer | undefined) {
    this.#options = options;
    this.#tracer = tracer;
  }

  get(caller: string): InsidePool {
    const known = this.#recent.get(caller);
    if (known !== undefined) return known;
    const check = (url: URL) => {
      if (!isInside(this.#options, url)) throw addressNotAllowed();
    };
    const pool = {
      ...poolOf({ connect: (destination) => this.#connect(caller, destination), check, tracer: this.#tracer }),
      check,
    };
    this.#open.add(pool);
    this.#recent.set(caller, pool);
    return pool;
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#open, (pool) => pool.close('at once')));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const caller = this.#callers.get(request.socket);
    const { respond } = this.#options ?? {};
    if (respond === undefined || caller === undefined) request.destroy();
    // Otherwise it would run in the span that opened the connection.
    else outsideSpans(() => respond(caller, request, response));
  }

  /**
   * Opens a connection. Only the origin is checked here, because a connection serves requests for many paths; `respond` decides
   * on each.
   */
  async #connect(caller: string, destination: Destination): Promise<Duplex> {
    if (originOf(destination).origin !== this.#options?.below.origin) throw addressNotAllowed();
    const [near, far] = duplexPair();
    this.#callers.set(far, caller);
    this.#server.emit('connection', far);
    return near;
  }
}

/**
 * Returns whether a URL is inside. A comparison of texts is enough: in the `href`, `..` is resolved in all its spellings, and a
 * user name would stand before the host.
 */
function isInside(options: InsideOptions | undefined, url: URL): boolean {
  return options !== undefined && url.href.startsWith(options.below.href);
}
