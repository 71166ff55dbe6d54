import type { Knex } from 'knex';
import { createIntegration, mustBe } from '../../support/connect.ts';
import { type FakeApplication, startFakeApplication } from '../../support/fake-application.ts';
import { type FakeProvider, type ProviderOptions, startFakeProvider } from '../../support/fake-provider/fake-provider.ts';
import { createHook, type Hook, makeHooked } from '../../support/hooked.ts';
import type { Client, ClientResponse } from '../../support/http-client.ts';
import { enableWebhooks } from '../../support/stored-webhooks.ts';
import { deploy } from '../../support/user-scripts.ts';

const KEY = 'fake';
const REDIRECT_URI = 'https://app.example/callback';
const PARALLEL_IMPORTS = 8;
const SCRIPT = `export default async (svc) => {
  await svc.getMetadata();
};`;

/**
 * Everything around the service: a provider whose refresh tokens can be used once, an application that counts the webhooks which
 * it receives, and connections.
 */
export class World implements AsyncDisposable {
  readonly provider: FakeProvider;
  readonly application: FakeApplication;
  /** The environment variables that instances of the service need. */
  readonly env: Readonly<Record<string, string>>;
  /** The key of the integration that connections belong to. */
  readonly key = KEY;
  /** The provider's number of each connection's grant, by connection ID. */
  readonly grants = new Map<string, number>();
  /** The connections that calls may choose from. */
  connections: readonly string[] = [];
  readonly #opened: AsyncDisposableStack;
  #hook: Hook | undefined;

  private constructor(parts: Pick<World, 'provider' | 'application' | 'env'>, opened: AsyncDisposableStack) {
    this.provider = parts.provider;
    this.application = parts.application;
    this.env = parts.env;
    this.#opened = opened;
  }

  static async open(options: ProviderOptions): Promise<World> {
    await using opened = new AsyncDisposableStack();
    const provider = opened.use(await startFakeProvider({ ...options, pkce: 'ignored' }));
    const application = opened.use(await startFakeApplication());
    const { env } = opened.use(await makeHooked());
    return new World({ provider, application, env }, opened.move());
  }

  get hook(): Hook {
    if (this.#hook === undefined) throw new Error('the service has not been set up');
    return this.#hook;
  }

  /** Creates the integrations, `count` connections and a script for further ones in the first environment of a service. */
  async setUp({ url, api, db }: { url: string; api: Client; db: Knex }, count: number): Promise<void> {
    await createIntegration({ url, api }, this.provider, { key: KEY });
    await enableWebhooks(db, { webhook_url: this.application.url });
    this.#hook = await createHook(api, (await db('environments').first('uuid')).uuid);
    const ids = Array.from({ length: count }, (_, index) => `connection-${index}`);
    for (let from = 0; from < count; from += PARALLEL_IMPORTS)
      await Promise.all(
        ids.slice(from, from + PARALLEL_IMPORTS).map(async (id) => mustBe(200, await this.importConnection(api, id))),
      );
    await deploy({ url, api }, { event: 'post-connection-creation', source: SCRIPT });
    this.connections = ids;
  }

  /** Returns one of the connections that calls may choose from. @param chance a number in [0, 1) */
  pickConnection(chance: number): string {
    return this.connections[Math.floor(chance * this.connections.length)] ?? '';
  }

  /** Stops the use of some connections, as an application does whose users have to authorize again. */
  avoid(connectionIds: ReadonlySet<string>): void {
    this.connections = this.connections.filter((id) => !connectionIds.has(id));
  }

  /** Imports a connection with new tokens of the provider. */
  importConnection(api: Client, connectionId: string, headers: Readonly<Record<string, string>> = {}): Promise<ClientResponse> {
    const { grants, clientId, settings } = this.provider;
    const code = grants.issueCode({ clientId, redirectUri: REDIRECT_URI, scope: 'read' });
    const tokens = grants.redeem(code, REDIRECT_URI, undefined);
    if (tokens === undefined) throw new Error('the provider redeemed no code');
    this.grants.set(connectionId, grants.describe(tokens.refreshToken)?.family ?? -1);
    const credentials = {
      type: 'OAUTH2',
      access_token: tokens.accessToken,
      refresh_token: tokens.refreshToken,
      expires_at: new Date(Date.now() + settings.accessTokenTtlSeconds * 1_000).toISOString(),
    };
    return api.post('/connections', { provider_config_key: KEY, connection_id: connectionId, credentials }, { headers });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}
