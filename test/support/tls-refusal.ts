import type { Socket } from 'node:net';

/** The message by which a client of Postgres asks for TLS (Postgres documentation, "Message Formats": SSLRequest). */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Refuses TLS if this is what the data asks for. @returns whether it is */
export function refusedTls(socket: Socket, data: Buffer): boolean {
  const isAsked = data.equals(SSL_REQUEST);
  if (isAsked) socket.write('N');
  return isAsked;
}
