import { startApp, type TestApp } from './app.ts';
import { canary } from './canaries.ts';
import { mustBe, type Service } from './connect.ts';
import type { FakeProvider } from './fake-provider/fake-provider.ts';
import type { Client, ClientResponse } from './http-client.ts';
import { makeProbes } from './probe-providers.ts';
import { newPem } from './signing-keys.ts';

type Body = Readonly<Record<string, string>>;

/** A way to connect an account without sending the end user to the provider. */
export interface DirectMethod {
  /** The slug of the probe provider, which is also the key of its integration. */
  readonly key: string;
  readonly path: string;
  readonly authMode: string;
  /** Returns new credentials, as the end user enters them, or undefined if the endpoint takes no body. */
  readonly body: () => Body | undefined;
  /** Connection configuration that the provider requires. */
  readonly config: Body;
  /** Returns those fields of the connection's `credentials` that can be derived from the body. */
  readonly shown: (body: Body) => Readonly<Record<string, unknown>>;
  /** Matches the `Authorization` header of the call to the provider by which the service verifies the credentials. */
  readonly header: RegExp;
}

export const DIRECT_METHODS = {
  'an API key': {
    key: 'keyed',
    path: '/api-auth/api-key',
    authMode: 'API_KEY',
    config: {},
    body: () => ({ apiKey: canary('API key at the provider') }),
    shown: (body) => ({ type: 'API_KEY', ...body }),
    header: /^Bearer \S+$/,
  },
  'user name and password': {
    key: 'login',
    path: '/api-auth/basic',
    authMode: 'BASIC',
    config: {},
    body: () => ({ username: 'ada', password: canary('password') }),
    shown: (body) => ({ type: 'BASIC', ...body }),
    header: /^Basic \S+$/,
  },
  'a client': {
    key: 'client',
    path: '/oauth2/auth',
    authMode: 'OAUTH2_CC',
    config: {},
    body: () => ({ client_id: 'a-client', client_secret: canary('client secret of the user') }),
    shown: (body) => ({ type: 'OAUTH2_CC', ...body }),
    header: /^Bearer \S+$/,
  },
  'a token for signatures': {
    key: 'signed',
    path: '/auth/tba',
    authMode: 'TBA',
    config: { accountId: '1234567' },
    body: () => ({ token_id: 'a-token', token_secret: canary('token secret') }),
    shown: (body) => ({ type: 'TBA', ...body }),
    header: /^OAuth .*oauth_token="a-token"/,
  },
  'a password for signatures': {
    key: 'digest',
    path: '/auth/signature',
    authMode: 'SIGNATURE',
    config: {},
    body: () => ({ type: 'SIGNATURE', username: 'account001', password: canary('signing password') }),
    shown: (body) => body,
    header: /^undefined$/,
  },
  'a sign-in': {
    key: 'stepped',
    path: '/auth/two-step',
    authMode: 'TWO_STEP',
    config: {},
    body: () => ({ type: 'TWO_STEP', username: 'ada', password: canary('password of a sign-in') }),
    shown: () => ({ type: 'TWO_STEP' }),
    header: /^Bearer \S+$/,
  },
  'a session of an organization': {
    key: 'session',
    path: '/auth/bill',
    authMode: 'BILL',
    config: {},
    body: () => ({
      username: 'ada',
      password: canary('BILL password'),
      organization_id: '008X',
      dev_key: canary('developer key'),
    }),
    shown: (body) => ({ type: 'BILL', ...body }),
    header: /^Session \S+$/,
  },
  'a key that signs': {
    key: 'tokened',
    path: '/auth/jwt',
    authMode: 'JWT',
    config: {},
    body: () => ({ type: 'JWT', privateKey: newPem(), privateKeyId: 'a-key', issuerId: 'an-issuer', account: 'acme' }),
    shown: ({ account: _, ...shown }) => shown,
    header: /^Bearer [\w-]+\.[\w-]+\.[\w-]+$/,
  },
  'a key of an app store': {
    key: 'store',
    path: '/auth/app-store',
    authMode: 'APP_STORE',
    config: {},
    body: () => ({ type: 'APP_STORE', privateKey: newPem(), privateKeyId: 'a-key', issuerId: 'an-issuer' }),
    shown: ({ privateKey, privateKeyId, issuerId }) => ({
      type: 'APP_STORE',
      private_key: privateKey,
      raw: { privateKeyId, issuerId },
    }),
    header: /^Bearer [\w-]+\.[\w-]+\.[\w-]+$/,
  },
  nothing: {
    key: 'open',
    path: '/auth/unauthenticated',
    authMode: 'NONE',
    config: {},
    body: () => undefined,
    shown: () => ({}),
    header: /^undefined$/,
  },
} as const satisfies Readonly<Record<string, DirectMethod>>;

/**
 * Creates one integration for each method. All of them use the same fake provider, whose API then requires no token and whose
 * token endpoint accepts any client.
 *
 * @param server the URL by which the service reaches the provider
 */
export async function createDirectIntegrations(
  { api }: Pick<Service, 'api'>,
  provider: FakeProvider,
  server = provider.url,
): Promise<void> {
  provider.settings.openApi = true;
  provider.always('token', { response: tokenResponse() });
  for (const { key, authMode } of Object.values(DIRECT_METHODS)) {
    const response = await api.post('/integrations', {
      unique_key: key,
      provider: key,
      integration_config: { server },
      ...(authMode === 'TBA' && { credentials: { client_id: 'signing-app', client_secret: canary('signing app’s secret') } }),
    });
    mustBe(200, response);
  }
}

/** Returns the response of a token endpoint to a request with client credentials (RFC 6749 §4.4.3). */
export function tokenResponse() {
  const members = { access_token: canary('client’s token'), token_type: 'Bearer', expires_in: 3_600 };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(members) };
}

/**
 * The auth modes in which obtaining the first token already proves the credentials. After that, a failed verification call
 * prevents the connection only if the provider clearly refuses the credentials.
 */
export const PROVEN_BY_TOKEN: readonly string[] = ['OAUTH2_CC', 'TWO_STEP', 'BILL'];

interface DirectRequest {
  /** The query parameters, which carry the session token and the connection configuration. */
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The key of the integration; default: that of the method. */
  readonly key?: string;
  readonly client?: Client;
}

/** Returns the query for connecting an account: the session token and the connection configuration. */
export function directQuery(method: DirectMethod, token: string, params: Body = {}): Record<string, string> {
  const named = Object.entries({ ...method.config, ...params }).map(([name, value]) => [`params[${name}]`, value]);
  return { connect_session_token: token, ...Object.fromEntries(named) };
}

/** Connects with the request that an application sends if it has its own user interface instead of the service's pages. */
export function connectDirectly(
  app: TestApp,
  method: DirectMethod,
  { query, body, key = method.key, client }: DirectRequest,
): Promise<ClientResponse> {
  const address = `${method.path}/${encodeURIComponent(key)}?${new URLSearchParams(query)}`;
  return (client ?? app.client()).post(address, body);
}

/** Starts a service with the integrations of `createDirectIntegrations`. */
export async function startDirectApp(provider: FakeProvider, env: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  await using opened = new AsyncDisposableStack();
  const probes = opened.use(await makeProbes());
  const app = opened.use(await startApp({ env: { ...probes.env, ...env } }));
  await createDirectIntegrations(app, provider);
  const closing = opened.move();
  return { ...app, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}
