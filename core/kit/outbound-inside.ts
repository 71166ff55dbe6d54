import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { addressNotAllowed } from './outbound-error.ts';
import { type ClosablePool, type Destination, type OutboundPool, originOf, poolOf } from './outbound-pool.ts';

/** Maximum number of callers whose connections are kept. */
const MAX_CALLERS = 100;

export interface InsideOptions {
  /** A URL that ends with a slash: it and all addresses below it are inside, that is, served by this process. */
  readonly below: URL;
  /** Serves every request, whatever its path is: it must refuse paths that do not exist. */
  readonly respond: (caller: string, request: IncomingMessage, response: ServerResponse) => void;
}

interface InsidePool extends OutboundPool {
  /** @throws OutboundError for an address that is not inside */
  check(url: URL): void;
}

/**
 * Creates pools for HTTP without a network: both ends of each connection are in this process, so that the addresses need
 * neither be reachable nor resolvable from here, and nothing but `respond` is at the other end.
 */
export class InsidePools {
  readonly #options: InsideOptions | undefined;
  /** The server that never listens: connections are passed to it. */
  readonly #server = createServer((request, response) => this.#serve(request, response));
  readonly #callers = new WeakMap<Duplex, string>();
  readonly #open = new Set<ClosablePool>();
  readonly #recent = new LRUCache<string, InsidePool & ClosablePool>({
    max: MAX_CALLERS,
    dispose: (pool) => void pool.close('calls under way end').then(() => this.#open.delete(pool)),
  });

  constructor(options: InsideOptions | undefined) {
    this.#options = options;
  }

  get(caller: string): InsidePool {
    const known = this.#recent.get(caller);
    if (known !== undefined) return known;
    const check = (url: URL) => {
      if (!isInside(this.#options, url)) throw addressNotAllowed();
    };
    const pool = { ...poolOf({ connect: (destination) => this.#connect(caller, destination), check }), check };
    this.#open.add(pool);
    this.#recent.set(caller, pool);
    return pool;
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#open, (pool) => pool.close('at once')));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const caller = this.#callers.get(request.socket);
    if (this.#options === undefined || caller === undefined) request.destroy();
    else this.#options.respond(caller, request, response);
  }

  /** Opens a connection. Only the origin is checked here: `respond` decides about the path of each request. */
  async #connect(caller: string, destination: Destination): Promise<Duplex> {
    if (originOf(destination).origin !== this.#options?.below.origin) throw addressNotAllowed();
    const [near, far] = duplexPair();
    this.#callers.set(far, caller);
    this.#server.emit('connection', far);
    return near;
  }
}

/**
 * Returns whether a URL is inside. Its `href` has no `..` any more, in any spelling, and begins with the user name if there is
 * one.
 */
function isInside(options: InsideOptions | undefined, url: URL): boolean {
  return options !== undefined && url.href.startsWith(options.below.href);
}
