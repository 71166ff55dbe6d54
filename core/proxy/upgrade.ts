import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { ProxyServer } from 'http-proxy';
import type { Outbound } from '../kit/outbound.ts';
import type { Outcome } from './exchange.ts';
import { timeoutError, toServiceError } from './fault.ts';
import { type ProxyOptions, readOptions } from './options.ts';
import { currentWay, type ProxyCaller, type ProxyDeps } from './proxy.ts';
import { recorded } from './record.ts';
import { type RawHeaders, requestHeaders } from './request-headers.ts';
import { responseHeaders } from './response-headers.ts';
import type { Target } from './target.ts';

const SWITCHING_PROTOCOLS = 101;

export interface UpgradeCall extends ProxyCaller {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

export interface UpgradeDeps extends ProxyDeps {
  readonly outbound: ProxyDeps['outbound'] & Pick<Outbound, 'agent'>;
}

/** WebSocket connections through the proxy: the same look-up, credentials and header rules as for calls. */
export class Upgrades implements Disposable {
  readonly #deps: UpgradeDeps;
  readonly #open = new Set<Duplex>();
  #isClosed = false;

  constructor(deps: UpgradeDeps) {
    this.#deps = deps;
  }

  /** Resolves when both sides are closed. @throws ServiceError before anything was written to the socket */
  async handle(call: UpgradeCall): Promise<void> {
    const options = readOptions(call.request.headers);
    await recorded(this.#deps.activity, { ...call, options }, async () => {
      const { upstream, target } = await currentWay(this.#deps, call, options);
      this.#deps.touch(upstream.connection.id);
      const headers = requestHeaders(call.request.rawHeaders, {
        framing: [],
        credentials: upstream.credentials,
        clientPrefix: this.#deps.clientPrefix,
      });
      const draft = { method: 'GET', target, headers, readBody: async () => '' };
      const head = upstream.finish === undefined ? draft : await upstream.finish(draft);
      // In lower case: http-proxy hangs up without a word on a request whose `upgrade` it does not find.
      const record = toRecord([...head.headers, 'connection', 'Upgrade', 'upgrade', 'websocket']);
      return this.#join(call, { target: head.target, headers: record, options });
    });
  }

  /** Ends every open connection and takes no further one: they know no last message to wait for, and come back elsewhere. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const socket of this.#open) socket.destroy();
  }

  async #join(call: UpgradeCall, about: { target: Target; headers: HeaderRecord; options: ProxyOptions }): Promise<Outcome> {
    const { socket } = call;
    if (this.#isClosed) socket.destroy();
    this.#open.add(socket);
    try {
      return await new Tunnel(call, about.options).open(this.#deps.outbound, about.target, about.headers);
    } finally {
      this.#open.delete(socket);
    }
  }
}

/** One WebSocket connection: the caller's socket and the provider's, each ending the other. */
class Tunnel {
  readonly #call: UpgradeCall;
  readonly #options: ProxyOptions;
  readonly #ended = Promise.withResolvers<Outcome>();
  #status = 0;

  constructor(call: UpgradeCall, options: ProxyOptions) {
    this.#call = call;
    this.#options = options;
  }

  open(outbound: Pick<Outbound, 'agent'>, target: Target, headers: HeaderRecord): Promise<Outcome> {
    const { request, socket, head } = this.#call;
    if (socket.destroyed) return Promise.resolve({ kind: 'gone' });
    socket.once('close', () =>
      this.#ended.resolve(this.#status === 0 ? { kind: 'gone' } : { kind: 'forwarded', status: this.#status }),
    );
    // http-proxy sends the headers of the request object; it is ours from here on.
    request.headers = headers;
    const url = new URL(target.origin);
    const proxy = new ProxyServer({ changeOrigin: true, agent: outbound.agent(url.protocol) });
    proxy.on('error', () => socket.destroy());
    proxy.on('proxyReqWs', (outgoing) => this.#prepare(outgoing, target));
    proxy.ws(request, socket, head, { target: url });
    return this.#ended.promise;
  }

  /** Runs before http-proxy adds its own listeners, so that ours see the answer first. */
  #prepare(outgoing: ClientRequest, target: Target): void {
    const { socket } = this.#call;
    // http-proxy joins and tidies paths; ours goes out as it is.
    outgoing.path = target.path;
    const onCallerGone = () => outgoing.destroy();
    const stopWatching = watchForEnd(socket);
    socket.once('close', onCallerGone);
    outgoing.setTimeout(this.#options.firstByteMs, () => outgoing.destroy(timeoutError()));
    outgoing.once('upgrade', (answer: IncomingMessage, provider: Socket) => {
      socket.off('close', onCallerGone);
      stopWatching();
      this.#switch(answer, provider);
    });
    process.nextTick(() => {
      // http-proxy relays a refusal without back-pressure, leaves the caller waiting when it breaks off, and ends the socket
      // at an error before anyone could say what happened.
      outgoing.removeAllListeners('response').once('response', (answer) => this.#refuse(answer));
      outgoing.removeAllListeners('error').on('error', (error) => this.#ended.reject(toServiceError(error)));
    });
  }

  #switch(answer: IncomingMessage, provider: Socket): void {
    const { socket, requestId, limitHeaders } = this.#call;
    this.#status = SWITCHING_PROTOCOLS;
    const passed = responseHeaders(answer.rawHeaders, { status: SWITCHING_PROTOCOLS, requestId, limitHeaders });
    answer.headers = toRecord(['Connection', 'Upgrade', 'Upgrade', 'websocket', ...passed]);
    // http-proxy only half-closes the other side; a peer that does not answer would keep it open for ever.
    socket.once('close', () => provider.destroy());
    provider.once('close', () => socket.destroy());
  }

  /** The provider answered without switching: the caller gets that answer, then the end of the connection. */
  #refuse(answer: IncomingMessage): void {
    const { socket, requestId, limitHeaders } = this.#call;
    this.#status = answer.statusCode ?? 0;
    const passed = responseHeaders(answer.rawHeaders, { status: this.#status, requestId, limitHeaders });
    const lines = toLines([...passed, 'Connection', 'close']);
    socket.write(`HTTP/1.1 ${this.#status} ${answer.statusMessage ?? ''}\r\n${lines}\r\n`, 'latin1');
    pipeline(answer, socket, () => socket.destroy());
  }
}

/** A socket that nobody reads does not notice its end. What comes is left in its buffer, for the time after. */
function watchForEnd(socket: Duplex): () => void {
  const look = () => void socket.read(0);
  const leave = () => void socket.destroy();
  socket.on('readable', look).on('end', leave);
  return () => void socket.off('readable', look).off('end', leave);
}

type HeaderRecord = Record<string, string | string[]>;

/** Node's and http-proxy's other form of headers: repeated ones become a list. */
function toRecord(headers: RawHeaders): HeaderRecord {
  const record: HeaderRecord = {};
  const spelling = new Map<string, string>();
  for (let index = 0; index < headers.length; index += 2) {
    const given = headers[index] ?? '';
    const name = spelling.get(given.toLowerCase()) ?? given;
    spelling.set(given.toLowerCase(), name);
    const before = record[name];
    record[name] = before === undefined ? (headers[index + 1] ?? '') : [before, headers[index + 1] ?? ''].flat();
  }
  return record;
}

function toLines(headers: RawHeaders): string {
  return headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('');
}
