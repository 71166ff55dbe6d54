import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createLogger } from '../../kit/logger.ts';
import { createOutbound, type Outbound } from '../../kit/outbound.ts';
import { dialSocket } from '../../kit/outbound-dial.ts';
import { listen, type RunningServer } from '../../server/server.ts';

const LOOPBACK = '127.0.0.1';
/** Any public address: the guard admits it, and the dialler below connects to loopback instead. */
const PUBLIC_ADDRESS = '93.184.215.14';
const BODYLESS = new Set(['GET', 'HEAD']);

/** A request as the provider received it. */
export interface ProviderRequest {
  readonly method: string;
  /** The URL that the caller named, with https. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface StubResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

type Responder = (request: ProviderRequest) => StubResponse | undefined;

/**
 * Stands in for the provider on loopback, whatever host is called: every name leads here, so that no request leaves the machine.
 */
export class RehearsalProvider implements AsyncDisposable {
  /** All requests, in the order of their arrival. */
  readonly requests: ProviderRequest[] = [];
  readonly outbound: Outbound;
  readonly #server: RunningServer;
  readonly #respond: (request: ProviderRequest) => StubResponse;
  #instead: Responder | undefined;

  private constructor(server: RunningServer, respond: (request: ProviderRequest) => StubResponse) {
    this.#server = server;
    this.#respond = respond;
    const { port } = server;
    this.outbound = createOutbound({
      allow: [],
      resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
      dial: (target) => dialSocket({ ...target, address: LOOPBACK, port, tls: false }),
    });
  }

  static async start(respond: (request: ProviderRequest) => StubResponse): Promise<RehearsalProvider> {
    let provider: RehearsalProvider | undefined;
    const request = (incoming: IncomingMessage, response: ServerResponse) =>
      // If serving fails, the socket is closed, so that the caller reports a missing response.
      void provider?.serve(incoming, response).catch(() => response.destroy());
    const app = { request, takesUpgrade: () => false, upgrade: () => undefined };
    const server = await listen({ app, port: 0, host: LOOPBACK, log: createLogger({ level: 'silent' }) });
    provider = new RehearsalProvider(server, respond);
    return provider;
  }

  /** Runs `work`, during which `respond` supplies the responses; if it returns undefined, the usual response is sent. */
  async during<T>(respond: Responder, work: () => Promise<T>): Promise<T> {
    this.#instead = respond;
    try {
      return await work();
    } finally {
      this.#instead = undefined;
    }
  }

  async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = BODYLESS.has(incoming.method ?? '') ? '' : (await buffer(incoming)).toString('utf8');
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const url = new URL(incoming.url ?? '/', `https://${incoming.headers.host}`);
    const request = { method: incoming.method ?? 'GET', url, headers, body };
    this.requests.push(request);
    const { status, headers: sent = {}, body: text } = this.#instead?.(request) ?? this.#respond(request);
    for (const [name, value] of Object.entries(sent)) response.setHeader(name, value);
    response.statusCode = status;
    response.end(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.outbound[Symbol.asyncDispose]();
    await this.#server.close({ withinMs: 0 });
  }
}

export function jsonResponse(status: number, body: unknown): StubResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
