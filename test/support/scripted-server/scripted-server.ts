import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { listen } from '../listen.ts';
import { Barrier } from './barrier.ts';
import type { Behaviour, ScriptedResponse } from './behaviour.ts';
import { deliver } from './deliver.ts';
import { Ledger, type LedgerEntry } from './ledger.ts';
import { readBody } from './read-body.ts';

/** The limit for the head of a request, large enough for the longest secrets in one header field. */
const MAX_HEAD_BYTES = 128 * 1024;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly entry: LedgerEntry;
  readonly behaviour: Behaviour;
}

/** A real HTTP server on loopback that records everything it receives and misbehaves exactly as a test asks. */
export abstract class ScriptedServer<Endpoint extends string> implements AsyncDisposable {
  readonly ledger = new Ledger();
  protected readonly server: Server = createServer(
    { maxHeaderSize: MAX_HEAD_BYTES },
    (request, response) => void this.#serve(request, response),
  );
  readonly #sockets = new Set<Socket>();
  readonly #default = new Map<Endpoint, Behaviour>();
  readonly #queued = new Map<Endpoint, Behaviour[]>();

  /** Returns the endpoint whose script applies to a request, and under whose name the ledger lists it. */
  protected abstract endpointOf(url: URL): Endpoint;

  /** Called when a request has been received completely, before any delay or barrier of its behaviour. */
  protected received(_exchange: Exchange): void {}

  /** Returns the regular response, or undefined when this method has written the response itself. */
  protected abstract work(exchange: Exchange): Promise<ScriptedResponse | undefined>;

  /** Returns the response that the exchange's behaviour puts in place of the regular one, if any. */
  protected instead({ behaviour }: Exchange): ScriptedResponse | undefined {
    return behaviour.response;
  }

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Scripts the next requests of an endpoint, one behaviour each; afterwards the default behaviour applies again. */
  next(endpoint: Endpoint, ...behaviours: Behaviour[]): void {
    this.#queued.set(endpoint, [...(this.#queued.get(endpoint) ?? []), ...behaviours]);
  }

  /** Scripts every request of an endpoint that `next` does not script; `{}` restores the regular responses. */
  always(endpoint: Endpoint, behaviour: Behaviour): void {
    this.#default.set(endpoint, behaviour);
  }

  /**
   * From now on, holds every request of an endpoint that `next` does not script, before it is processed, until the returned
   * barrier is opened.
   */
  barrier(endpoint: Endpoint): Barrier {
    const barrier = new Barrier();
    this.always(endpoint, { ...this.#default.get(endpoint), barrier });
    return barrier;
  }

  async listen(port = 0): Promise<void> {
    this.server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    await listen(this.server, port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    // closeAllConnections() would not close the sockets of WebSockets.
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Records the arrival of a request. A request for an upgrade is recorded as well, although it has no `ServerResponse`. */
  protected note(request: IncomingMessage, url: URL, ended: Promise<void>): LedgerEntry {
    const entry: LedgerEntry = {
      at: new Date(),
      endpoint: this.endpointOf(url),
      method: request.method ?? '',
      target: request.url ?? '',
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body: Buffer.alloc(0),
      bodyBytes: 0,
      bodySha256: '',
      params: Object.fromEntries(url.searchParams),
      outcome: 'unknown',
      ended,
    };
    this.ledger.append(entry);
    return entry;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The target is not resolved against a base, because a target that begins with two slashes would be read as a host.
    const url = new URL(this.url + (request.url ?? '/'));
    const endpoint = this.endpointOf(url);
    const behaviour = this.#queued.get(endpoint)?.shift() ?? this.#default.get(endpoint) ?? {};
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    response.once('close', end);
    const entry = this.note(request, url, ended);
    try {
      await this.#respond({ request, response, url, entry, behaviour });
    } catch (error) {
      // Many behaviours make the caller disconnect before its request is complete. Any other error is a fault in the test support
      // and must be visible.
      if (request.complete) console.error('scripted server:', error);
      response.destroy();
    }
  }

  async #respond(exchange: Exchange): Promise<void> {
    const { request, response, entry, behaviour } = exchange;
    const body = await readBody(request);
    Object.assign(entry, { body: body.kept, bodyBytes: body.bytes, bodySha256: body.sha256 });
    this.received(exchange);
    if (behaviour.delayMs !== undefined) await wait(behaviour.delayMs);
    await behaviour.barrier?.pass();

    const scripted = this.instead(exchange) ?? (await this.work(exchange));
    await behaviour.responseBarrier?.pass();
    const delivery = behaviour.delivery ?? 'whole';
    if (delivery === 'whole' || delivery === 'drip') response.once('finish', () => Object.assign(entry, { outcome: 'answered' }));
    if (scripted === undefined) return;
    entry.status = scripted.status;
    await deliver(response, scripted, delivery);
  }
}
