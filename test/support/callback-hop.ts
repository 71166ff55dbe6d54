import { once } from 'node:events';
import { createServer } from 'node:http';
import { listen } from './listen.ts';

export interface CallbackHop extends AsyncDisposable {
  /** To be set as the environment's callback URL. */
  readonly url: string;
}

/**
 * The application's own callback address: sends every browser on to the service, query and all, by 308.
 *
 * @param hostname `localhost` and `127.0.0.1` are different sites to a browser
 */
export async function startCallbackHop(serviceUrl: string, hostname = '127.0.0.1'): Promise<CallbackHop> {
  const server = createServer((request, response) => {
    const { search } = new URL(request.url ?? '/', serviceUrl);
    response.writeHead(308, { location: `${serviceUrl}/oauth/callback${search}` }).end();
  });
  const port = await listen(server);
  return {
    url: `http://${hostname}:${port}/integrations/done`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
