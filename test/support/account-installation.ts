import { startApp, type TestApp } from './app.ts';
import { authorize, type Connected, createReconnectSession, createSession, mustBe, readConnection } from './connect.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider/fake-provider.ts';
import { makeFolders } from './folders.ts';
import { enableWebhooks, storedWebhooks } from './stored-webhooks.ts';
import type { Page } from './web-walker.ts';

const SERVER = { type: 'string', title: 'Server', format: 'uri' };
const ACCOUNT = { id: 'user.id', name: 'user.name', email: 'user.email', picture: 'user.picture' };

/** The definition of a provider that reports which account was connected. */
export const WITH_IDENTITY = {
  display_name: 'Accounts',
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.server}/authorize',
  token_url: '${integrationConfig.server}/token',
  integration_config: { server: SERVER },
  identity: { endpoint: '/account', account: ACCOUNT },
  proxy: { base_url: '${integrationConfig.server}/api' },
};

interface Options {
  /** Fields that replace those of `WITH_IDENTITY`. */
  readonly definition?: object;
  /** The source of the provider's plugin. */
  readonly plugin?: string;
}

/** A service with one integration, whose provider reports whatever account a test sets. */
export class AccountInstallation implements AsyncDisposable {
  readonly key = 'accounts';
  readonly app: TestApp;
  readonly provider: FakeProvider;
  readonly #opened: AsyncDisposableStack;

  private constructor(app: TestApp, provider: FakeProvider, opened: AsyncDisposableStack) {
    this.app = app;
    this.provider = provider;
    this.#opened = opened;
  }

  static async open({ definition = {}, plugin }: Options = {}): Promise<AccountInstallation> {
    await using opened = new AsyncDisposableStack();
    const provider = opened.use(await startFakeProvider());
    const folders = opened.use(
      await makeFolders({
        'providers/accounts/provider.json': JSON.stringify({ ...WITH_IDENTITY, ...definition }),
        'plugins/README.md': '',
        ...(plugin !== undefined && { 'plugins/accounts/plugin.ts': plugin }),
      }),
    );
    const env = { SVC_PROVIDERS_DIR: `${folders.path}/providers`, SVC_PLUGINS_DIR: `${folders.path}/plugins` };
    const app = opened.use(await startApp({ env }));
    const installation = new AccountInstallation(app, provider, opened.move());
    await installation.#createIntegration();
    await enableWebhooks(app.database.db);
    return installation;
  }

  async #createIntegration(): Promise<void> {
    const response = await this.app.api.post('/integrations', {
      unique_key: this.key,
      provider: 'accounts',
      credentials: { type: 'OAUTH2', client_id: this.provider.clientId, client_secret: this.provider.clientSecret },
      integration_config: { server: this.provider.url },
    });
    mustBe(200, response);
  }

  /** Sets the response of the provider's API to all later calls. */
  respond(body: unknown, status = 200): void {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    this.provider.always('api', { response: { status, headers: { 'content-type': 'application/json' }, body: text } });
  }

  /** Connects the account that the provider reports at present. */
  async connect(session: object = {}): Promise<Connected> {
    const token = await createSession(this.app, { allowed_integrations: [this.key], ...session });
    mustBe(200, await authorize(this.app, { key: this.key, token }));
    const { body } = await this.app.api.get('/connections?limit=1');
    return { connectionId: body.connections[0].connection_id, key: this.key };
  }

  /** Authorizes a connection again. @returns the result page */
  async reconnect(connected: Connected, session: object = {}): Promise<Page> {
    const token = await createReconnectSession(this.app, connected, session);
    return authorize(this.app, { key: this.key, token });
  }

  async accountOf({ connectionId }: Connected): Promise<unknown> {
    const { body } = await this.app.api.get(`/connections/${connectionId}/health?provider_config_key=${this.key}`);
    return body.data.provider_account;
  }

  /** Returns the credentials of a connection, including its refresh token. */
  async credentialsOf(connected: Connected) {
    const response = await readConnection(this.app, connected, '&refresh_token=true');
    mustBe(200, response);
    return response.body.credentials;
  }

  /** Returns the bodies of all auth webhooks so far, the oldest first. */
  async webhooks() {
    return (await storedWebhooks(this.app.services)).map(({ body }) => body);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }
}
