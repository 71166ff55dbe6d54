import { connect, createServer } from 'node:net';
import { Cable } from './database-relay.ts';
import { listen } from './listen.ts';

export interface HttpRelay extends AsyncDisposable {
  readonly url: string;
  /** Ends every network connection and refuses new ones. */
  cut(): void;
  restore(): void;
}

/** Starts a relay between browsers and a service. A test can cut the network connections through it. */
export async function relayHttp({ url }: { readonly url: string }): Promise<HttpRelay> {
  const { hostname, port } = new URL(url);
  const cable = new Cable(() => connect({ host: hostname, port: Number(port) }));
  const server = createServer((near) => cable.accept(near));
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    cut: () => cable.cut(),
    restore: () => cable.restore(),
    async [Symbol.asyncDispose]() {
      cable.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
