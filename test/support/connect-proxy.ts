import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { listen } from './listen.ts';
import { localhostIdentity } from './tls-identity.ts';

export interface AskedTunnel {
  readonly authority: string;
  readonly authorization: string | undefined;
}

interface ProxyOptions {
  /** Whether clients connect to the proxy over TLS; its certificate is for `localhost`. */
  readonly tls?: boolean;
  /** The loopback ports to which tunnels are opened, by requested host name; default: the requested port. */
  readonly ports?: Readonly<Record<string, number>>;
}

/** An HTTP proxy that opens tunnels (`CONNECT`), as in company networks. All tunnels end at loopback. */
export class ConnectProxy implements AsyncDisposable {
  readonly asked: AskedTunnel[] = [];
  readonly open = new Set<Socket>();
  /** If set, the proxy opens no tunnels but responds with this text; if it is empty, the proxy never responds. */
  answer: string | undefined;
  port = 0;
  readonly #server: Server;
  readonly #ports: Readonly<Record<string, number>>;

  private constructor({ tls = false, ports = {} }: ProxyOptions) {
    this.#ports = ports;
    this.#server = (tls ? createTlsServer(localhostIdentity) : createServer()) as Server;
    this.#server.on('connect', (request, socket) => this.#tunnel(request, socket as Socket));
  }

  static async start(options: ProxyOptions = {}): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(options);
    proxy.port = await listen(proxy.#server);
    return proxy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.open) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #tunnel({ url: authority = '', headers }: IncomingMessage, socket: Socket): void {
    this.asked.push({ authority, authorization: headers['proxy-authorization'] });
    this.#keep(socket);
    if (this.answer !== undefined) {
      socket.resume().once('end', () => socket.end());
      if (this.answer !== '') socket.end(this.answer);
      return;
    }
    const { hostname, port } = new URL(`http://${authority}`);
    const target = connect({ host: '127.0.0.1', port: this.#ports[hostname] ?? Number(port) }, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    this.#keep(target);
    target.once('close', () => socket.destroy());
    socket.once('close', () => target.destroy());
  }

  #keep(socket: Socket): void {
    this.open.add(socket);
    socket.on('error', () => undefined).once('close', () => this.open.delete(socket));
  }
}
