import type { Server } from 'node:net';

/**
 * Listens on a port of the loopback interface and prints its number. Every program here prints its port as the first line, which
 * `Program.start` reads.
 */
export function tellPort(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address !== 'string') console.log(address.port);
  });
}
