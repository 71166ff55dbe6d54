import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

type Bytes = string | Uint8Array;

export interface RawServer extends AsyncDisposable {
  readonly port: number;
  /** How many connections were accepted so far. */
  readonly connections: number;
  /** What each connection has received so far, in the order of acceptance. */
  readonly received: readonly Buffer[];
}

/**
 * A TCP server on loopback that knows no protocol.
 *
 * @param onConnection what to do with each connection; or the bytes to send back as soon as it has sent anything, and then to end it
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
 * Sends bytes to a port of loopback and collects what comes back until the other side ends, or the time is over.
 *
 * @returns `closed`: whether the other side ended (or reset) the connection in time
 */
export async function rawExchange(port: number, bytes: Bytes, timeoutMs = 2000): Promise<{ bytes: Buffer; closed: boolean }> {
  const chunks: Buffer[] = [];
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  const deadline = AbortSignal.timeout(timeoutMs);
  socket.on('data', (chunk) => chunks.push(chunk)).write(bytes);
  // Rejects by the deadline or by a reset; the latter has closed the connection too.
  await once(socket, 'close', { signal: deadline }).catch(() => undefined);
  socket.destroy();
  return { bytes: Buffer.concat(chunks), closed: !deadline.aborted };
}
