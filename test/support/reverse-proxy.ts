import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

export interface ReverseProxyOptions {
  /** The treatment of `X-Forwarded-For`. By default, the proxy appends the address of its caller. */
  readonly forwarding?: 'append' | 'replace' | 'pass-on' | 'drop';
  /** Whether the proxy passes on `Upgrade`, which WebSockets need. Default: true. */
  readonly passesUpgrades?: boolean;
  /** A path prefix such as `/auth`, which the proxy removes. Requests for paths without the prefix get 404. */
  readonly basePath?: string;
  /** The size of request headers above which the proxy responds with 431. */
  readonly maxHeaderBytes?: number;
}

export interface ReverseProxy extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts a reverse proxy like those that operators put in front of the service. The options are settings that operators get
 * wrong.
 *
 * @param target the service's URL, or a function that chooses one of several instances by the path
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
  const chain = { append: [...claimed, socket.remoteAddress], replace: [socket.remoteAddress], 'pass-on': claimed, drop: [] }[
    forwarding
  ].join(', ');
  return {
    ...others,
    ...(chain !== '' && { 'x-forwarded-for': chain }),
    ...(passesUpgrades && upgrade !== undefined && { connection: 'upgrade', upgrade }),
  };
}
