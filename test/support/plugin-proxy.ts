import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { loadPlugins } from '../../core/catalogue/plugins/load.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { createOutbound } from '../../core/kit/outbound.ts';
import { type Dialler, dialSocket } from '../../core/kit/outbound-dial.ts';
import { makeFolders } from './folders.ts';
import { HostileResolver } from './hostile-resolver.ts';
import { PUBLIC_ADDRESSES } from './inner-hosts.ts';
import { type LoopbackServer, serve } from './loopback-server.ts';
import { CALL_HEADERS, type ProxyHarness, startProxy } from './proxy-harness.ts';
import { type Received, type Sent, send } from './raw-http.ts';

export interface SeenCall {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
}

type Responder = (response: ServerResponse) => void;

/** The proxy, with a provider whose plugin is loaded from a folder outside the project. */
export class PluginProxy implements AsyncDisposable {
  readonly seen: SeenCall[] = [];
  /** The hosts that the proxy tried to dial. Connections to any host except loopback are refused. */
  readonly dialled: string[] = [];
  readonly logLines: string[] = [];
  /** The scripted responses to the next calls. A call without one gets the text `fine`. */
  readonly responses: Responder[] = [];
  readonly #opened = new AsyncDisposableStack();
  #upstream: LoopbackServer | undefined;
  #proxy: ProxyHarness | undefined;

  /**
   * Starts the proxy.
   *
   * @param name the name of the plugin's folder; a module is loaded only once, so each source needs another name
   * @param source the text of `plugin.ts`
   */
  static async start(name: string, source: string): Promise<PluginProxy> {
    const started = new PluginProxy();
    await started.#open(name, source);
    return started;
  }

  get proxy(): ProxyHarness {
    if (this.#proxy === undefined) throw new Error('the proxy is not started');
    return this.#proxy;
  }

  get url(): string {
    return this.#upstream?.url ?? '';
  }

  call(sent: Partial<Sent> = {}): Promise<Received> {
    const { port } = this.proxy.edge;
    return send({ port, path: '/proxy/x?a=1', ...sent, headers: { ...CALL_HEADERS, ...sent.headers } });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }

  async #open(name: string, source: string): Promise<void> {
    const folders = this.#opened.use(await makeFolders({ [`${name}/plugin.ts`]: source }));
    const { plugins, faults } = await loadPlugins([folders.path]);
    const plugin = plugins.get(name);
    if (plugin === undefined) throw new Error(`the plugin is not loaded: ${JSON.stringify(faults)}`);
    this.#upstream = this.#opened.use(await serve((request, response) => this.#respond(request, response)));
    this.#upstream.server.on('upgrade', (request, socket) => {
      this.#note(request);
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    });
    const dial: Dialler = (target) => {
      this.dialled.push(target.host);
      return target.host === '127.0.0.1' ? dialSocket(target) : Promise.reject(new Error('not dialled'));
    };
    const { resolve } = new HostileResolver().script('files.example.com', [PUBLIC_ADDRESSES[0]]);
    this.#proxy = this.#opened.use(
      await startProxy({
        proxy: { base_url: `${this.url}/api`, allowed_hosts: ['files.example.com', '169.254.169.254'] },
        plugin,
        log: createLogger({ level: 'info', write: (line) => this.logLines.push(line) }),
        outbound: createOutbound({ allow: ['127.0.0.1/32'], resolve, dial }),
        connectionConfig: { team: 'acme' },
      }),
    );
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    this.#note(request);
    const respond = this.responses.shift();
    request.resume().once('end', () => (respond === undefined ? response.end('fine') : respond(response)));
  }

  #note({ method = '', url: target = '', headers, rawHeaders }: IncomingMessage): void {
    this.seen.push({ method, target, headers, rawHeaders });
  }
}
