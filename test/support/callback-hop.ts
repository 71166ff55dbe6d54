import { type LoopbackServer, serve } from './loopback-server.ts';

/**
 * Starts a server of the application whose URL a test sets as the environment's callback URL. It redirects every browser to the
 * service's callback with 308 and the whole query.
 *
 * @param hostname the host name in the URL; to a browser, `localhost` and `127.0.0.1` are different sites
 */
export async function startCallbackHop(serviceUrl: string, hostname = '127.0.0.1'): Promise<LoopbackServer> {
  const server = await serve((request, response) => {
    const { search } = new URL(request.url ?? '/', serviceUrl);
    response.writeHead(308, { location: `${serviceUrl}/oauth/callback${search}` }).end();
  });
  return { ...server, url: `http://${hostname}:${server.port}/integrations/done` };
}
