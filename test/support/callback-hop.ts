import { type LoopbackServer, serve } from './loopback-server.ts';

/**
 * Starts the application's own callback address, which is to be set as the environment's callback URL. It redirects every browser to
 * the service by 308, with the whole query.
 *
 * @param hostname `localhost` and `127.0.0.1` are different sites to a browser
 */
export async function startCallbackHop(serviceUrl: string, hostname = '127.0.0.1'): Promise<LoopbackServer> {
  const server = await serve((request, response) => {
    const { search } = new URL(request.url ?? '/', serviceUrl);
    response.writeHead(308, { location: `${serviceUrl}/oauth/callback${search}` }).end();
  });
  return { ...server, url: `http://${hostname}:${server.port}/integrations/done` };
}
