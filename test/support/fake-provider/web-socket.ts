import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';

/** Accepts an upgrade as a WebSocket that sends every message back, text as text and bytes as bytes. */
export function echoWebSocket(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const sockets = new WebSocketServer({ noServer: true });
  sockets.handleUpgrade(request, socket, head, (client) => {
    client.on('message', (message, isBinary) => client.send(message, { binary: isBinary }));
  });
}

export function refuseUpgrade(socket: Duplex): void {
  socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
}
