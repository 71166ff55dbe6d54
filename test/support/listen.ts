import { once } from 'node:events';
import type { Server } from 'node:net';

/** Starts a server of any kind on loopback. @returns the port */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on TCP');
  return address.port;
}
