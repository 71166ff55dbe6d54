import type { Server } from 'node:net';

/** Opens a port of loopback and says which: the first line that a program of the benches prints. */
export function tellPort(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address !== 'string') console.log(address.port);
  });
}
