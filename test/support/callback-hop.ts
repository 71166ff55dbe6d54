import { type LoopbackServer, serve } from './loopback-server.ts';

/**
 * The application's own callback address, whose URL is to be set as the environment's callback URL: sends every browser on to the
 * service, query and all, by 308.
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
