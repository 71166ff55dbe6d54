import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { listen } from './listen.ts';

export interface LoopbackServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
}

/** Starts an HTTP server on a free loopback port. Disposal stops it and cuts the network connections that are still open. */
export async function serve(handler: RequestListener): Promise<LoopbackServer> {
  const server = createServer(handler);
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    server,
    [Symbol.asyncDispose]: () => close(server),
  };
}

export async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
