import type { TestApp } from './app.ts';
import { CleaningServer, makeCleaningProvider } from './cleaning.ts';
import { type Connected, mustBe } from './connect.ts';
import { Installation, type RealService } from './installation.ts';
import { storeConnection } from './stored.ts';

/**
 * An installation with one instance and a provider whose plugin removes a connection's webhook before the connection is deleted.
 */
export interface CleaningInstallation extends AsyncDisposable {
  readonly installation: Installation;
  readonly app: TestApp;
  readonly server: CleaningServer;
  /** Creates an integration of the provider, with this number of connections. */
  integrate(key: string, connections?: number): Promise<Connected[]>;
  /** Starts another instance in a separate process. */
  startProcess(env: Readonly<Record<string, string>>): Promise<RealService>;
}

export async function openCleaningInstallation(): Promise<CleaningInstallation> {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(await CleaningServer.start());
  const { env } = opened.use(await makeCleaningProvider());
  const installation = opened.use(await Installation.open());
  const app = await installation.startApp(env);
  const closing = opened.move();
  return {
    installation,
    app,
    server,
    async integrate(key, connections = 0) {
      const integration_config = { server: server.url };
      mustBe(200, await app.api.post('/integrations', { unique_key: key, provider: 'cleaning', integration_config }));
      return Promise.all(Array.from({ length: connections }, () => storeConnection(app, { key })));
    },
    startProcess: (more) => installation.startProcess({ ...env, ...more }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
