import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';

/**
 * The order to this forked program. It sends `ready` to its parent, waits for the order, opens all network connections, sends
 * `open`, and keeps sending bodies until it is killed.
 */

export interface Flood {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  /** The addresses from which the connections are opened, in turn. */
  readonly localAddresses: readonly string[];
  readonly announcedBytes: number;
  /**
   * The bytes of the body that are sent. If they are fewer than announced, nothing more is sent on this network connection;
   * otherwise the request is repeated without end.
   */
  readonly sentBytes: number;
}

// Real senders are on other machines, so sending must not take processor time from the service.
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
