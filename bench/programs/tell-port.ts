import type { Server } from 'node:net';

/** Listens on a port of the loopback interface and prints it, which is the first line that every program here prints. */
export function tellPort(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address !== 'string') console.log(address.port);
  });
}
