import { randomUUID } from 'node:crypto';
import { createKey } from '../../../core/tenants/api-keys/api-keys.ts';
import { updateConnectSettings } from '../../../core/tenants/environments/connect-settings-store.ts';
import { environmentById, insertEnvironment, updateEnvironment } from '../../../core/tenants/environments/environment-store.ts';
import { startApp, type TestApp } from '../app.ts';
import { canary, rememberSecret } from '../canaries.ts';
import { createSession, mustBe } from '../connect.ts';
import { createDirectIntegrations, DIRECT_METHODS } from '../direct.ts';
import { AWS_REGION, awsDefinitions, type FakeAws, startFakeAws } from '../fake-aws.ts';
import { type FakeProvider, startFakeProvider } from '../fake-provider/fake-provider.ts';
import { makeFolders } from '../folders.ts';
import type { Client } from '../http-client.ts';
import { makeProbes } from '../probe-providers.ts';
import { storeConnection, storeDescribedClient, storeIntegration, storeReceiver } from '../stored.ts';
import { storeChoosingFlow } from '../stored-flow.ts';
import { storeMessage } from '../stored-messages.ts';
import { storeScript } from '../stored-script.ts';
import { TestNet } from '../test-net.ts';
import type { ApiRequest } from './api-request.ts';
import { BRAND_LOGO, exampleRequest, type Names } from './names.ts';
import type { ApiOperation } from './operations.ts';

/** The environment in which things are created, and a client for it. */
export interface Owner {
  readonly accountId: number;
  readonly environmentId: number;
  readonly api: Client;
}

/** Creates everything that a request can name. */
export async function storeNames(app: TestApp, owner: Owner = firstOwner(app)): Promise<Names> {
  const { accountId, environmentId, api } = owner;
  const integration = await storeIntegration(api, `i-${randomUUID()}`);
  const { connectionId } = await storeConnection(app, { key: integration, environmentId, tags: { owner: 'one' } });
  await storeScript(app, { key: integration, environmentId });
  const operation = app.services.activity.begin({ type: 'proxy', operation: 'GET /me', environmentId, connectionId });
  operation.end('success');
  const other = await insertEnvironment(app.services.db, { accountId, name: `e-${randomUUID()}` });
  const environment = await environmentById(app.services.db, environmentId);
  await updateConnectSettings(app.services.db, environmentId, {
    brand_logo: Buffer.from('a logo'),
    brand_logo_type: BRAND_LOGO.type,
    brand_logo_hash: BRAND_LOGO.hash,
  });
  return {
    integration,
    connectionId,
    operationId: operation.id,
    environmentId: other.id,
    environmentUuid: environment?.uuid ?? '',
    receiver: await storeReceiver(api),
    describedClient: await storeDescribedClient(api),
    apiKeyId: (await storeKey(app, { accountId, environmentId: other.id })).id,
    messageId: await storeMessage(app, { environmentId, connectionId, providerConfigKey: integration }),
    ...(await storeChoosingFlow(app, { api, environmentId, key: integration })),
    newName: `n-${randomUUID()}`,
  };
}

export function firstOwner({ api }: TestApp): Owner {
  return { accountId: 1, environmentId: 1, api };
}

/** Creates a full-access key of the environment, or of the account if there is no environment. */
export async function storeKey(
  app: TestApp,
  owner: { readonly accountId: number; readonly environmentId: number | null },
): Promise<{ readonly id: number; readonly secret: string }> {
  const scopes = owner.environmentId === null ? ['account:*'] : ['environment:*'];
  const { id, secret } = await createKey(app.services, owner, { name: randomUUID(), scopes });
  return { id, secret: rememberSecret('key', secret) };
}

const AWS_KEY = 'aws-queue';

/**
 * The keys of the integrations whose end users connect without visiting the provider, by the path of the route that connects
 * them.
 */
const DIRECT_KEYS: ReadonlyMap<string, string> = new Map([
  ...Object.values(DIRECT_METHODS).map(({ path, key }) => [`${path}/{uniqueKey}`, key] as const),
  ['/auth/aws-sigv4/{uniqueKey}', AWS_KEY],
]);
/** The connect session's default connection configuration for these integrations, except for the AWS one. */
const DIRECT_DEFAULTS = Object.fromEntries(
  Object.values(DIRECT_METHODS).map(({ key, config }) => [key, { connection_config: config }]),
);

async function integrateAws({ api }: TestApp, { operator }: FakeAws): Promise<void> {
  const credentials = { client_id: operator.id, client_secret: operator.secret };
  const integration_config = { server: 'https://aws.example' };
  mustBe(200, await api.post('/integrations', { unique_key: AWS_KEY, provider: AWS_KEY, integration_config, credentials }));
}

function sharedApps(): string {
  return JSON.stringify({ github: { client_id: 'shared', client_secret: canary('secret of the shared app'), scopes: ['repo'] } });
}

interface Parts {
  readonly app: TestApp;
  readonly provider: FakeProvider;
  readonly aws: FakeAws;
  readonly opened: AsyncDisposableStack;
}

/** A running service and the fake providers that it may call. For every route, it supplies requests that name existing things. */
export class World implements AsyncDisposable {
  readonly app: TestApp;
  readonly provider: FakeProvider;
  readonly #aws: FakeAws;
  readonly #opened: AsyncDisposableStack;
  #shared: Promise<Names> | undefined;

  private constructor({ app, provider, aws, opened }: Parts) {
    this.app = app;
    this.provider = provider;
    this.#aws = aws;
    this.#opened = opened;
  }

  static async open(env: Readonly<Record<string, string>> = {}): Promise<World> {
    await using opened = new AsyncDisposableStack();
    const provider = opened.use(await startFakeProvider({ openApi: true }));
    const direct = opened.use(await startFakeProvider());
    const probes = opened.use(await makeProbes());
    const aws = opened.use(await startFakeAws());
    const files = opened.use(await makeFolders({ 'shared-apps.json': sharedApps(), ...awsDefinitions() }));
    const net = new TestNet();
    net.add('direct.example', direct.url);
    net.add('aws.example', aws.url);
    for (const name of ['api.example', 'auth.example']) net.add(name, provider.url);
    const settings = {
      SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0',
      SVC_SECURITY_CONTACT: 'mailto:security@example.com',
      SVC_SHARED_APPS_FILE: `${files.path}/shared-apps.json`,
      ...probes.env,
      SVC_PROVIDERS_DIR: `${probes.env['SVC_PROVIDERS_DIR']}:${files.path}`,
    };
    const app = opened.use(await startApp({ env: { ...settings, ...env }, net }));
    await updateEnvironment(app.services.db, 1, { webhook_url: 'https://app.example/webhooks' });
    await createDirectIntegrations(app, direct, 'https://direct.example');
    await integrateAws(app, aws);
    return new World({ app, provider, aws, opened: opened.move() });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }

  /**
   * Returns the names for a request to a route. Requests that change, use up or remove what they name get names of things that
   * are created for them; all other requests share one set.
   */
  async namesFor({ method, template = '' }: Pick<ApiOperation, 'method'> & Partial<ApiOperation>): Promise<Names> {
    if (method === 'PATCH' || method === 'DELETE' || template === '/connections') return storeNames(this.app);
    this.#shared ??= storeNames(this.app);
    const names = { ...(await this.#shared), newName: `n-${randomUUID()}` };
    const integration = DIRECT_KEYS.get(template);
    if (integration === undefined) return names;
    const awsDefaults = { connection_config: { region: AWS_REGION, external_id: this.#aws.role.externalId } };
    const defaults = { ...DIRECT_DEFAULTS, [AWS_KEY]: awsDefaults };
    const sessionToken = await createSession(this.app, { integrations_config_defaults: defaults });
    return { ...names, integration, sessionToken };
  }

  /** Returns a request that the route accepts, and a client with the credential that the route requires. */
  async requestFor(operation: ApiOperation): Promise<{ readonly request: ApiRequest; readonly client: Client }> {
    const names = await this.namesFor(operation);
    return { request: exampleRequest(operation, names), client: this.clientFor(operation, names) };
  }

  clientFor({ access }: Pick<ApiOperation, 'access'>, { sessionToken }: Pick<Names, 'sessionToken'>): Client {
    if (access === 'public') return this.app.client();
    if ('session' in access) return this.app.client(sessionToken);
    return access.scope.startsWith('account:') ? this.app.client(this.app.accountKey) : this.app.api;
  }
}
