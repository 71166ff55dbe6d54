import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of loopback that nobody listens on: the wanted one if it is free, else any. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  try {
    server.listen(wanted, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return address === null || typeof address === 'string' ? 0 : address.port;
  } catch {
    return freePort();
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}
