import { rememberSecret } from './canaries.ts';
import type { FakeProvider } from './fake-provider/fake-provider.ts';
import type { Client, ClientResponse } from './http-client.ts';
import { type Page, WebWalker } from './web-walker.ts';

/** A running service, as far as a test needs it to connect accounts: its URL, and a client of its API. */
export interface Service {
  readonly url: string;
  readonly api: Client;
}

/** The URLs of a provider and the client registered there, which an integration of `generic-oauth` needs. */
export interface ProviderAddress {
  readonly url: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface IntegrationOptions {
  readonly key?: string;
  readonly scopes?: string;
  readonly config?: Readonly<Record<string, string>>;
}

/** Creates an integration of `generic-oauth` for a provider. @returns its key */
export async function createIntegration(
  { api }: Service,
  provider: ProviderAddress,
  { key = 'fake', scopes = 'read,write', config = {} }: IntegrationOptions = {},
): Promise<string> {
  const response = await api.post('/integrations', {
    unique_key: key,
    provider: 'generic-oauth',
    credentials: { type: 'OAUTH2', client_id: provider.clientId, client_secret: provider.clientSecret, scopes },
    integration_config: {
      authorization_url: provider.authorizationUrl,
      token_url: provider.tokenUrl,
      api_base_url: `${provider.url}/api`,
      ...config,
    },
  });
  mustBe(200, response);
  return key;
}

/** Creates a connect session. @returns its token */
export async function createSession({ api }: Service, body: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const response = await api.post('/connect/sessions', body);
  mustBe(201, response);
  return rememberSecret('connect session token', response.body.data.token);
}

/** Creates a connect session in which an existing connection is authorized again. @returns its token */
export async function createReconnectSession(
  { api }: Service,
  { connectionId, key }: Connected,
  body: object = {},
): Promise<string> {
  const response = await api.post('/connect/sessions/reconnect', { connection_id: connectionId, integration_id: key, ...body });
  mustBe(201, response);
  return rememberSecret('connect session token', response.body.data.token);
}

export function connectUrl(
  { url }: Pick<Service, 'url'>,
  { key = 'fake', token, params = {} }: { key?: string; token: string; params?: Readonly<Record<string, string>> },
): string {
  const query = new URLSearchParams({ connect_session_token: token });
  for (const [name, value] of Object.entries(params)) query.set(`params[${name}]`, value);
  return `${url}/oauth/connect/${encodeURIComponent(key)}?${query}`;
}

/** Follows the redirects from the connect URL through the provider to the result page, as an end user's browser does. */
export async function authorize(service: Service, { key = 'fake', token }: { key?: string; token: string }): Promise<Page> {
  const page = await new WebWalker().follow(connectUrl(service, { key, token }));
  if ('stoppedAt' in page) throw new Error('the walk stopped on its way');
  return page;
}

export interface Connected {
  readonly connectionId: string;
  readonly key: string;
}

/** Creates an integration and connects one account to it. */
export async function connect(service: Service, provider: FakeProvider, key = 'fake'): Promise<Connected> {
  await createIntegration(service, provider, { key });
  return connectAgain(service, key);
}

/** Connects one more account to an existing integration. */
export async function connectAgain(service: Service, key = 'fake'): Promise<Connected> {
  const token = await createSession(service, { allowed_integrations: [key] });
  const page = await authorize(service, { key, token });
  if (page.status !== 200) throw new Error(`the authorization ended with ${page.status}: ${page.text}`);
  const { body } = await service.api.get('/connections?limit=1');
  return { connectionId: body.connections[0].connection_id, key };
}

/** Authorizes a connection again. @returns the result page */
export async function reconnect(service: Service, connected: Connected, session: object = {}): Promise<Page> {
  const token = await createReconnectSession(service, connected, session);
  const page = await authorize(service, { key: connected.key, token });
  mustBe(200, page);
  return page;
}

export function readConnection({ api }: Service, { connectionId, key }: Connected, query = ''): Promise<ClientResponse> {
  return api.get(`/connections/${connectionId}?provider_config_key=${key}${query}`);
}

interface ProxiedCall {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Calls the provider's API through the service's proxy, with the credentials of a connection. */
export function throughProxy(
  { api }: Service,
  connected: Connected,
  { path, method = 'GET', headers = {}, body }: ProxiedCall,
): Promise<ClientResponse> {
  return api.call(method, `/proxy${path}`, {
    headers: { 'provider-config-key': connected.key, 'connection-id': connected.connectionId, ...headers },
    body,
  });
}

export function mustBe(status: number, response: ClientResponse): void {
  if (response.status !== status) throw new Error(`expected ${status}, got ${response.status}: ${response.text}`);
}
