import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';

/** The order for this forked program, which sends `ready`, opens all connections, sends `open`, and goes on until it is ended. */

export interface Flood {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  /** Connections use these addresses in turn. */
  readonly localAddresses: readonly string[];
  readonly announcedBytes: number;
  /** The bytes that are sent. After fewer than announced, the connection falls silent; after all, requests follow without end. */
  readonly sentBytes: number;
}

// Real callers are on other machines, so the cost of sending must not slow the service down.
setPriority(constants.priority.PRIORITY_LOW);

process.on('message', (flood: Flood) => {
  let open = 0;
  for (let at = 0; at < flood.connections; at += 1) {
    keepSending(flood, flood.localAddresses[at % flood.localAddresses.length] ?? '', () => {
      open += 1;
      if (open === flood.connections) process.send?.('open');
    });
  }
});
process.once('disconnect', () => process.exit());
process.send?.('ready');

function keepSending(flood: Flood, localAddress: string, onSent: () => void): void {
  const { port, path, announcedBytes, sentBytes } = flood;
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Hook-Signature: sha256=00\r\nContent-Length: ${announcedBytes}\r\n\r\n`;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const request = Buffer.concat([Buffer.from(head), Buffer.alloc(sentBytes, 'x')]);
  socket.on('error', () => undefined);
  socket.once('connect', () => {
    socket.write(request);
    onSent();
  });
  if (sentBytes < announcedBytes) {
    socket.resume();
    return;
  }
  socket.on('data', () => socket.write(request));
  socket.once('close', () => setTimeout(() => keepSending(flood, localAddress, () => undefined), 10));
}
