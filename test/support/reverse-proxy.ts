import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

export interface ReverseProxyOptions {
  /** What it does about `X-Forwarded-For`. Default: it adds the address of its caller. */
  readonly forwarding?: 'append' | 'pass-on' | 'drop';
  /** Default true. */
  readonly passesUpgrades?: boolean;
  /** Such as `/auth`: what is below is passed on without it, everything else gets 404. */
  readonly basePath?: string;
  /** It responds with 431 above these. */
  readonly maxHeaderBytes?: number;
}

export interface ReverseProxy extends AsyncDisposable {
  readonly url: string;
}

/**
 * What operators put in front of a service, with the settings they get wrong.
 *
 * @param target of several instances one for each path
 */
export async function startReverseProxy(
  target: string | ((path: string) => string),
  options: ReverseProxyOptions = {},
): Promise<ReverseProxy> {
  const relay = (incoming: IncomingMessage, response: ServerResponse) => {
    const headers = passedOn(incoming, options);
    if (JSON.stringify(headers).length > (options.maxHeaderBytes ?? Number.POSITIVE_INFINITY)) {
      response.writeHead(431).end();
      return;
    }
    const path = below(incoming.url ?? '', options.basePath ?? '');
    if (path === undefined) {
      response.writeHead(404).end('nothing of the service');
      return;
    }
    const { hostname, port } = new URL(typeof target === 'string' ? target : target(path));
    const outgoing = request({ hostname, port, path, method: incoming.method, headers, agent: false });
    outgoing.on('response', (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  };
  const server = createServer({ shouldUpgradeCallback: () => false }, relay);
  const listening = await listen(server);
  return {
    url: `http://127.0.0.1:${listening}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function below(url: string, basePath: string): string | undefined {
  return url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : undefined;
}

function passedOn(
  { headers, socket }: IncomingMessage,
  { forwarding = 'append', passesUpgrades = true }: ReverseProxyOptions,
): IncomingHttpHeaders {
  const { 'x-forwarded-for': forwardedFor, connection: _, upgrade, ...others } = headers;
  const claimed = [forwardedFor ?? []].flat();
  const chain = { append: [...claimed, socket.remoteAddress], 'pass-on': claimed, drop: [] }[forwarding].join(', ');
  return {
    ...others,
    ...(chain !== '' && { 'x-forwarded-for': chain }),
    ...(passesUpgrades && upgrade !== undefined && { connection: 'upgrade', upgrade }),
  };
}
