import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

type Bytes = string | Uint8Array;

export interface RawServer extends AsyncDisposable {
  readonly port: number;
  /** The number of sockets accepted so far. */
  readonly connections: number;
  /** The bytes that each socket has received so far, in the order of acceptance. */
  readonly received: readonly Buffer[];
}

/**
 * Starts a TCP server on loopback that speaks no protocol.
 *
 * @param onConnection a function that handles each socket, or bytes that the server sends when a client's first data arrive,
 *   before it ends the socket
 */
export async function rawServer(onConnection: ((socket: Socket) => void) | Bytes): Promise<RawServer> {
  const received: Buffer[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const index = received.push(Buffer.alloc(0)) - 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    socket.on('data', (chunk) => {
      received[index] = Buffer.concat([received[index] ?? Buffer.alloc(0), chunk]);
    });
    if (typeof onConnection === 'function') onConnection(socket);
    else socket.once('data', () => socket.end(onConnection));
  });
  const port = await listen(server);
  return {
    port,
    received,
    get connections() {
      return received.length;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Sends bytes to a loopback port and collects the response until the server closes the socket or the timeout expires.
 *
 * @returns `closed` is true if the server closed or reset the socket before the timeout
 */
export async function rawExchange(port: number, bytes: Bytes, timeoutMs = 2000): Promise<{ bytes: Buffer; closed: boolean }> {
  const chunks: Buffer[] = [];
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  const deadline = AbortSignal.timeout(timeoutMs);
  socket.on('data', (chunk) => chunks.push(chunk)).write(bytes);
  // The wait is rejected by the deadline or by a reset. A reset closes the socket, too, so `closed` depends only on the deadline.
  await once(socket, 'close', { signal: deadline }).catch(() => undefined);
  socket.destroy();
  return { bytes: Buffer.concat(chunks), closed: !deadline.aborted };
}
