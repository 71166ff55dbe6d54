import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { ProxyServer } from 'http-proxy';
import { ServiceError } from '../errors.ts';
import type { ClientCertificate } from '../kit/client-certificate.ts';
import type { OutboundPool } from '../kit/outbound.ts';
import type { ProxyDeps } from './deps.ts';
import { timeoutError, toServiceError } from './fault.ts';
import type { ProxyCaller } from './message.ts';
import { type ProxyOptions, readOptions } from './options.ts';
import { outgoingHead } from './outgoing-request.ts';
import type { RawHeaders } from './raw-headers.ts';
import { CallRecord, type ProxyOutcome } from './record.ts';
import { RequestBody } from './request-body.ts';
import { authorize, type ConnectionSource, resolveUpstream } from './resolve.ts';
import { responseHeaders } from './response-headers.ts';
import type { UpstreamTarget } from './target.ts';

const SWITCHING_PROTOCOLS = 101;

export interface UpgradeRequest extends ProxyCaller {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** WebSocket connections through the proxy, with the same lookup, credentials and header rules as for calls. */
export class Upgrades implements Disposable {
  readonly #deps: ProxyDeps;
  readonly #connections: ConnectionSource;
  readonly #open = new Set<Duplex>();
  #isClosed = false;

  constructor(deps: ProxyDeps, connections: ConnectionSource) {
    this.#deps = deps;
    this.#connections = connections;
  }

  /**
   * Opens a WebSocket connection; resolves when both sides are closed.
   *
   * @throws ServiceError, but only as long as nothing has been written to the caller's socket
   */
  async open(upgrade: UpgradeRequest): Promise<void> {
    const { request, environmentId, mayOverride } = upgrade;
    const { method = '', url: target = '', rawHeaders: headers } = request;
    const options = readOptions(request.headers);
    const call = { environmentId, mayOverride, method, target, options };
    const record = new CallRecord(this.#deps, call);
    try {
      authorize(call);
      const resolved = await resolveUpstream(this.#deps, this.#connections, call);
      record.goesTo(resolved);
      const { certificate, inside } = resolved.upstream;
      // A provider that this process plays has no socket that could be joined with the caller's.
      if (inside !== undefined) throw new ServiceError('invalid_headers', 'the sandbox provider does not accept upgrades');
      this.#connections.touch(resolved.upstream.connection.id);
      const body = new RequestBody({ body: undefined, headers, options });
      const sent = await outgoingHead(this.#deps, resolved, { method: 'GET', headers, body });
      // The names are in lower case: http-proxy looks for `upgrade`, and closes the socket of a request without it.
      const outgoing = toRecord([...sent.headers, 'connection', 'Upgrade', 'upgrade', 'websocket']);
      record.end(await this.#join(upgrade, { target: sent.target, headers: outgoing, options, certificate }));
    } catch (error) {
      record.fail(error);
      throw error;
    }
  }

  /** Closes every open connection and accepts no new ones: a WebSocket has no last message to wait for, and clients reconnect. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const socket of this.#open) socket.destroy();
  }

  async #join(upgrade: UpgradeRequest, { target, headers, options, certificate }: Joined): Promise<ProxyOutcome> {
    const { socket } = upgrade;
    if (this.#isClosed) socket.destroy();
    this.#open.add(socket);
    try {
      return await new Tunnel(upgrade, options).open(this.#deps.outbound.withCertificate(certificate), target, headers);
    } finally {
      this.#open.delete(socket);
    }
  }
}

interface Joined {
  readonly target: UpstreamTarget;
  readonly headers: HeaderRecord;
  readonly options: ProxyOptions;
  readonly certificate: ClientCertificate | undefined;
}

/** One WebSocket connection: the caller's socket and the provider's; each ends the other. */
class Tunnel {
  readonly #upgrade: UpgradeRequest;
  readonly #options: ProxyOptions;
  readonly #ended = Promise.withResolvers<ProxyOutcome>();
  #status = 0;

  constructor(upgrade: UpgradeRequest, options: ProxyOptions) {
    this.#upgrade = upgrade;
    this.#options = options;
  }

  open(outbound: Pick<OutboundPool, 'agent'>, target: UpstreamTarget, headers: HeaderRecord): Promise<ProxyOutcome> {
    const { request, socket, head } = this.#upgrade;
    if (socket.destroyed) return Promise.resolve({ kind: 'disconnected' });
    socket.once('close', () =>
      this.#ended.resolve(this.#status === 0 ? { kind: 'disconnected' } : { kind: 'relayed', status: this.#status }),
    );
    // http-proxy sends the headers of the request object, which nobody else uses from here on.
    request.headers = headers;
    const url = new URL(target.origin);
    const proxy = new ProxyServer({ changeOrigin: true, agent: outbound.agent(url.protocol) });
    proxy.on('error', () => socket.destroy());
    proxy.on('proxyReqWs', (outgoing) => this.#prepare(outgoing, target));
    proxy.ws(request, socket, head, { target: url });
    return this.#ended.promise;
  }

  /**
   * Prepares the request to the provider before http-proxy adds its own listeners, so that the listeners added here get the
   * response first.
   */
  #prepare(outgoing: ClientRequest, target: UpstreamTarget): void {
    const { socket } = this.#upgrade;
    // http-proxy joins and normalises paths; this path is sent unchanged.
    outgoing.path = target.path;
    const onCallerClose = () => outgoing.destroy();
    const stopWatching = watchForEnd(socket);
    socket.once('close', onCallerClose);
    outgoing.setTimeout(this.#options.firstByteMs, () => outgoing.destroy(timeoutError()));
    outgoing.once('upgrade', (response: IncomingMessage, provider: Socket) => {
      socket.off('close', onCallerClose);
      stopWatching();
      this.#switch(response, provider);
    });
    process.nextTick(() => {
      // http-proxy relays other responses without back-pressure, leaves the caller waiting if they are interrupted, and ends
      // the socket on an error before an error response could be sent.
      outgoing.removeAllListeners('response').once('response', (response) => this.#relayRefusal(response));
      outgoing.removeAllListeners('error').on('error', (error) => this.#ended.reject(toServiceError(error)));
    });
  }

  #switch(response: IncomingMessage, provider: Socket): void {
    const { socket, requestId, limitHeaders, isHttps } = this.#upgrade;
    this.#status = SWITCHING_PROTOCOLS;
    const passed = responseHeaders(response.rawHeaders, { status: SWITCHING_PROTOCOLS, requestId, limitHeaders, isHttps });
    response.headers = toRecord(['Connection', 'Upgrade', 'Upgrade', 'websocket', ...passed]);
    // http-proxy only half-closes the other side; a peer that does not respond would keep it open.
    socket.once('close', () => provider.destroy());
    provider.once('close', () => socket.destroy());
  }

  /** Handles a provider that responded without switching: the caller gets that response, then the end of the connection. */
  #relayRefusal(response: IncomingMessage): void {
    const { socket, requestId, limitHeaders, isHttps } = this.#upgrade;
    this.#status = response.statusCode ?? 0;
    const passed = responseHeaders(response.rawHeaders, { status: this.#status, requestId, limitHeaders, isHttps });
    const lines = toLines([...passed, 'Connection', 'close']);
    socket.write(`HTTP/1.1 ${this.#status} ${response.statusMessage ?? ''}\r\n${lines}\r\n`, 'latin1');
    pipeline(response, socket, () => socket.destroy());
  }
}

/** Watches for the end of a socket, which a socket that is not read does not report. Received data stays in its buffer. */
function watchForEnd(socket: Duplex): () => void {
  const look = () => void socket.read(0);
  const leave = () => void socket.destroy();
  socket.on('readable', look).on('end', leave);
  return () => void socket.off('readable', look).off('end', leave);
}

type HeaderRecord = Record<string, string | string[]>;

/** Converts headers to the form that Node and http-proxy use for `headers`: an object, in which repeated headers are a list. */
function toRecord(headers: RawHeaders): HeaderRecord {
  const record: HeaderRecord = {};
  const spelling = new Map<string, string>();
  for (let index = 0; index < headers.length; index += 2) {
    const spelled = headers[index] ?? '';
    const name = spelling.get(spelled.toLowerCase()) ?? spelled;
    spelling.set(spelled.toLowerCase(), name);
    const before = record[name];
    record[name] = before === undefined ? (headers[index + 1] ?? '') : [before, headers[index + 1] ?? ''].flat();
  }
  return record;
}

function toLines(headers: RawHeaders): string {
  return headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('');
}
