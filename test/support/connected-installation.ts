import type { TestApp } from './app.ts';
import { type Connected, connect, readConnection } from './connect.ts';
import { type FakeProvider, type ProviderOptions, startFakeProvider } from './fake-provider/fake-provider.ts';
import type { ClientResponse } from './http-client.ts';
import { Installation } from './installation.ts';
import { storedConnection } from './stored-connection.ts';

interface Parts {
  readonly installation: Installation;
  readonly app: TestApp;
  readonly provider: FakeProvider;
  readonly connected: Connected;
}

/** One instance of the service with one connection to a fake provider. Disposal stops the instance and the provider. */
export class ConnectedInstallation implements AsyncDisposable {
  readonly installation: Installation;
  readonly app: TestApp;
  readonly provider: FakeProvider;
  readonly connected: Connected;

  private constructor({ installation, app, provider, connected }: Parts) {
    this.installation = installation;
    this.app = app;
    this.provider = provider;
    this.connected = connected;
  }

  static async open(options: ProviderOptions = {}): Promise<ConnectedInstallation> {
    const installation = await Installation.open();
    const app = await installation.startApp();
    const provider = await startFakeProvider(options);
    return new ConnectedInstallation({ installation, app, provider, connected: await connect(app, provider) });
  }

  /** Reads the connection through the API. @param query additional parameters, each beginning with `&` */
  read(query = ''): Promise<ClientResponse> {
    return readConnection(this.app, this.connected, query);
  }

  /** Returns the connection's row in the database. */
  stored(): ReturnType<typeof storedConnection> {
    return storedConnection(this.installation.db, this.connected);
  }

  /** Lets time pass for everything that depends on the database's clock. */
  advance(seconds: number): Promise<void> {
    return this.installation.advance(seconds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.provider[Symbol.asyncDispose]();
    await this.installation[Symbol.asyncDispose]();
  }
}
