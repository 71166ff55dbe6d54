import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ClientChannels } from '../../connect/flows/client-channels.ts';
import type { ClientFrame } from '../../connect/flows/client-frames.ts';
import { ServiceError } from '../../errors.ts';
import { networkOf } from '../../server/client-address.ts';
import { drainingOf } from '../../server/draining.ts';
import type { UpgradeExchange } from '../../server/route.ts';

/** Limits on the messages from a client, which the service reads but does not use. */
const MAX_MESSAGE_BYTES = 1_024;
const MAX_MESSAGES = 16;
const MAX_OPEN = 2_000;
const MAX_PER_NETWORK = 32;
/** Maximum lifetime of a socket, in milliseconds: as long as a user may spend at the provider. */
const MAX_AGE_MS = 60 * 60_000;
/** Interval between pings, in milliseconds: many proxies close network connections that have been silent for a minute. */
const PING_MS = 25_000;
const BUSY_SECONDS = 30;
/** Close codes (RFC 6455 §7.4.1). */
const NORMAL = 1000;
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;

interface ClientSocketsOptions {
  readonly maxAgeMs?: number;
  readonly pingMs?: number;
}

/**
 * The WebSockets of existing frontends, which were written for another product's API. Each client is sent its ID when it
 * connects; when its authorization has ended, it is sent the result and the socket is closed.
 */
export class ClientSockets implements Disposable {
  readonly #channels: ClientChannels;
  readonly #maxAgeMs: number;
  readonly #pingMs: number;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  readonly #perNetwork = new Map<string, number>();
  /** Clients that have not responded to the last ping yet. */
  readonly #silent = new WeakSet<WebSocket>();

  constructor(channels: ClientChannels, { maxAgeMs = MAX_AGE_MS, pingMs = PING_MS }: ClientSocketsOptions = {}) {
    this.#channels = channels;
    this.#maxAgeMs = maxAgeMs;
    this.#pingMs = pingMs;
  }

  /** Accepts a WebSocket. @throws ServiceError `too_many_request` if too many are open, in all or from the caller's network */
  async open({
    request,
    socket,
    head,
    address,
  }: Pick<UpgradeExchange, 'request' | 'socket' | 'head' | 'address'>): Promise<void> {
    const network = networkOf(address);
    if (this.#server.clients.size >= MAX_OPEN || (this.#perNetwork.get(network) ?? 0) >= MAX_PER_NETWORK)
      throw new ServiceError('too_many_request', 'too many WebSockets are open', { retryAfterSeconds: BUSY_SECONDS });
    this.#count(network, 1);
    socket.once('close', () => this.#count(network, -1));
    this.#server.handleUpgrade(request, socket, head, (client) => this.#serve(client, socket));
  }

  [Symbol.dispose](): void {
    for (const client of this.#server.clients) client.close(GOING_AWAY);
  }

  #serve(client: WebSocket, socket: Duplex): void {
    const channel = this.#channels.open((frame) => {
      send(client, frame);
      client.close(NORMAL);
    });
    const leave = () => client.close(GOING_AWAY);
    drainingOf(socket)?.addEventListener('abort', leave);
    const end = setTimeout(leave, this.#maxAgeMs);
    const pings = setInterval(() => this.#ping(client), this.#pingMs);
    let messages = 0;
    client.on('message', () => {
      messages += 1;
      if (messages > MAX_MESSAGES) client.close(POLICY_VIOLATION);
    });
    client.on('pong', () => this.#silent.delete(client));
    // Without a listener the error would end the process. The ws library itself closes the socket.
    client.on('error', () => undefined);
    client.once('close', () => {
      channel[Symbol.dispose]();
      clearTimeout(end);
      clearInterval(pings);
      drainingOf(socket)?.removeEventListener('abort', leave);
    });
    send(client, { message_type: 'connection_ack', ws_client_id: channel.id });
  }

  #ping(client: WebSocket): void {
    if (this.#silent.has(client)) client.terminate();
    this.#silent.add(client);
    client.ping();
  }

  #count(network: string, added: number): void {
    const count = (this.#perNetwork.get(network) ?? 0) + added;
    if (count === 0) this.#perNetwork.delete(network);
    else this.#perNetwork.set(network, count);
  }
}

function send(client: WebSocket, frame: ClientFrame): void {
  client.send(JSON.stringify(frame));
}
