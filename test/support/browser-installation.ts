import type { BrowserContextOptions } from 'playwright-core';
import { startApp, type TestApp } from './app.ts';
import type { SharedChromium } from './browser.ts';
import { type Customer, type CustomerOptions, type CustomerPage, startCustomer } from './browser-customer/customer.ts';
import type { Guard } from './browser-guard.ts';
import { type ConsentProvider, startConsentProvider } from './browser-provider.ts';
import { createSession, mustBe } from './connect.ts';
import { makeFolders } from './folders.ts';
import { newServiceEnv } from './service-env.ts';
import { enableWebhooks } from './stored-webhooks.ts';

const SERVER = {
  server: { type: 'string', title: 'Server', format: 'uri' },
  pages: { type: 'string', title: 'Pages', format: 'uri' },
};
const SIGN_IN = {
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.pages}/auth',
  token_url: '${integrationConfig.server}/token',
  integration_config: SERVER,
  identity: { endpoint: '/me', account: { id: 'id', name: 'name', email: 'email' } },
  proxy: { base_url: '${integrationConfig.server}/api' },
};

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#5b5bd6" d="M12 2l10 10-10 10L2 12z"/></svg>';

/** Definitions of providers: with a sign-in, with a choice among tenants, with a form, and without credentials. */
const PROVIDERS = {
  notes: { ...SIGN_IN, display_name: 'Notes' },
  sites: {
    ...SIGN_IN,
    display_name: 'Sites',
    connection_config: { siteId: { type: 'string', title: 'Site', automated: true } },
    discover: [{ endpoint: '/sites', values: { siteId: 'id' }, choose: { list: '$', id: 'id', label: 'name' } }],
  },
  desk: {
    display_name: 'Desk',
    docs: 'https://docs.example.com',
    auth_mode: 'API_KEY',
    integration_config: { server: SERVER.server },
    connection_config: {
      subdomain: {
        type: 'string',
        title: 'Subdomain',
        description: 'The part before .acme.test.',
        format: 'hostname',
        suffix: '.acme.test',
        example: 'acme',
        order: 1,
      },
    },
    proxy: { base_url: '${integrationConfig.server}/api', verification: { endpoints: ['/check'] } },
  },
  open: {
    display_name: 'Open',
    docs: 'https://docs.example.com',
    auth_mode: 'NONE',
    integration_config: { server: SERVER.server },
    proxy: { base_url: '${integrationConfig.server}/api' },
  },
};

export interface IntegrationOptions {
  /** Default: `notes`, where people sign in. */
  readonly provider?: string;
  readonly displayName?: string;
}

export interface InstallationOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Definitions of additional providers. Integrations of them are configured with the same server as `notes`. */
  readonly definitions?: Readonly<Record<string, object>>;
}

/** A service, a provider with a consent page, and an application with the SDK, each with a different loopback origin. */
export interface ConnectInstallation extends AsyncDisposable {
  readonly app: TestApp;
  /** The environment variables for other instances that share the database. */
  readonly env: Readonly<Record<string, string>>;
  readonly provider: ConsentProvider;
  readonly customer: Customer;
  integrate(key: string, options?: IntegrationOptions): Promise<void>;
  /** Runs a test body with the application's page in a fresh profile. */
  visit(chromium: SharedChromium, body: Visit, options?: BrowserContextOptions & CustomerOptions): Promise<void>;
  /** Creates a connect session and returns its token. */
  session(body?: object): Promise<string>;
}

export type Visit = (customer: CustomerPage, guard: Guard) => Promise<void>;

/** Starts an installation with the integrations `notes` (sign-in) and `desk` (a form). */
export async function startConnectInstallation({
  env: given = {},
  definitions = {},
}: InstallationOptions = {}): Promise<ConnectInstallation> {
  await using opened = new AsyncDisposableStack();
  const files = Object.entries({ ...PROVIDERS, ...definitions }).flatMap(([name, definition]) => [
    [`${name}/provider.json`, JSON.stringify(definition)],
    [`${name}/logo.svg`, LOGO],
  ]);
  const folders = opened.use(await makeFolders(Object.fromEntries(files)));
  const provider = opened.use(await startConsentProvider());
  const customer = opened.use(await startCustomer());
  const outbound = '127.0.0.1/32,localhost';
  const env = { ...newServiceEnv(), SVC_PROVIDERS_DIR: folders.path, SVC_OUTBOUND_ALLOW: outbound, ...given };
  const app = opened.use(await startApp({ env }));
  await enableWebhooks(app.database.db);
  const closing = opened.move();
  const installation: ConnectInstallation = {
    app,
    env,
    provider,
    customer,
    integrate: (key, options) => integrate(app, provider, { key, ...options }),
    session: (body = {}) => createSession(app, { ...body }),
    visit(chromium, body, { coop, ...options } = {}) {
      const origins = [app.url, customer.origin, provider.pages];
      return chromium.profile({ origins, ...options }, async (profile, guard) => {
        await body(await customer.open(profile, app.url, coop === undefined ? {} : { coop }), guard);
      });
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
  await installation.integrate('notes');
  await installation.integrate('desk', { provider: 'desk' });
  return installation;
}

async function integrate(
  { api }: TestApp,
  { url, pages }: ConsentProvider,
  { key, provider = 'notes', displayName }: IntegrationOptions & { readonly key: string },
): Promise<void> {
  const isSignIn = provider === 'notes' || provider === 'sites';
  const response = await api.post('/integrations', {
    unique_key: key,
    provider,
    ...(displayName !== undefined && { display_name: displayName }),
    ...(isSignIn && { credentials: { type: 'OAUTH2', client_id: 'a-client', client_secret: 'a-secret-of-a-client' } }),
    integration_config: { server: url, ...(isSignIn && { pages }) },
  });
  mustBe(200, response);
}
