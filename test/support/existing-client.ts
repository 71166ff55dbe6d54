import { type AxiosResponse, axiosRequest } from './axios-request.ts';

type Parsed = AxiosResponse['data'];
type Texts = Readonly<Record<string, string>>;
type Members = Readonly<Record<string, unknown>>;

interface ClientOptions {
  readonly host: string;
  readonly apiKey: string;
  /** The product's name, with which the names of the client's custom headers begin. */
  readonly prefix: string;
  /** Whether the client runs inside a sync job of that product, which it reports in headers. */
  readonly isSync?: boolean;
}

/** Filters of `listConnections`. */
interface Filters {
  readonly connectionId?: string;
  readonly userId?: string;
  readonly integrationId?: string | readonly string[];
  readonly tags?: Texts;
  readonly limit?: number;
  readonly page?: number;
}

interface Flags {
  readonly forceRefresh?: boolean;
  readonly refreshToken?: boolean;
  readonly refreshGithubAppJwtToken?: boolean;
}

export interface ProxiedRequest {
  readonly endpoint: string;
  readonly providerConfigKey: string;
  readonly connectionId: string;
  readonly method?: string;
  readonly headers?: Texts;
  readonly params?: Texts;
  readonly data?: unknown;
  readonly retries?: number;
  readonly retryOn?: readonly number[];
  readonly baseUrlOverride?: string;
  readonly decompress?: boolean;
  readonly forwardHeadersOnRedirect?: boolean;
}

interface Call {
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly params?: Readonly<Record<string, string | boolean>>;
  readonly data?: unknown;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const MAX_POLLS = 30;

/**
 * Imitates the backend client of another product with the same API: it writes requests and reads responses exactly as that client
 * does.
 *
 * For this reason, most IDs and keys are not escaped in paths, and some calls without a body have a content type.
 */
export class ExistingClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  async listProviders({ search }: { readonly search?: string } = {}): Promise<Parsed> {
    return (await this.#call('GET', `/providers${queryOf({ search })}`)).data;
  }

  async getProvider({ provider }: { readonly provider: string }): Promise<Parsed> {
    return (await this.#call('GET', `/providers/${provider}`)).data;
  }

  async listIntegrations(): Promise<Parsed> {
    return { configs: (await this.#call('GET', '/integrations')).data.data };
  }

  /** Reads an integration. As in the imitated client, only the last item of `include` is sent. */
  async getIntegration({ uniqueKey }: { readonly uniqueKey: string }, include: readonly string[] = []): Promise<Parsed> {
    const query = queryOf({ include: include.at(-1) });
    return (await this.#call('GET', `/integrations/${encodeURIComponent(uniqueKey)}${query}`)).data;
  }

  async createIntegration(data: Members): Promise<Parsed> {
    return (await this.#call('POST', '/integrations', { data })).data;
  }

  async createQuickstartIntegration(data: Members): Promise<Parsed> {
    return (await this.#call('POST', '/integrations/quickstart', { data })).data;
  }

  async updateIntegration({ uniqueKey }: { readonly uniqueKey: string }, data: Members): Promise<Parsed> {
    return (await this.#call('PATCH', `/integrations/${uniqueKey}`, { data })).data;
  }

  deleteIntegration(uniqueKey: string): Promise<AxiosResponse> {
    return this.#call('DELETE', `/integrations/${uniqueKey}`);
  }

  async listConnections({ connectionId, userId, integrationId, tags, limit, page }: Filters = {}): Promise<Parsed> {
    const renamed = Object.entries(tags ?? {}).map(([name, value]) => [`tags[${TAG_NAMES[name] ?? name.toLowerCase()}]`, value]);
    const query = queryOf({
      connectionId,
      endUserId: userId,
      integrationId: integrationId === undefined ? undefined : [integrationId].flat().join(','),
      ...Object.fromEntries(renamed),
      limit,
      page,
    });
    return (await this.#call('GET', `/connections${query}`, { headers: JSON_TYPE })).data;
  }

  /** Lists connections with the parameters that older versions of `listConnections` had. */
  async listConnectionsOf(connectionId?: string, search?: string, more: Readonly<Record<string, string | number>> = {}) {
    return (await this.#call('GET', `/connections${queryOf({ connectionId, search, ...more })}`, { headers: JSON_TYPE })).data;
  }

  async getConnection(key: string, connectionId: string, flags: Flags = {}): Promise<Parsed> {
    return (await this.#readConnection(key, connectionId, flags)).data;
  }

  async getToken(key: string, connectionId: string): Promise<Parsed> {
    const { credentials } = (await this.#readConnection(key, connectionId)).data;
    if (credentials.type === 'OAUTH2') return credentials.access_token;
    if (credentials.type !== 'OAUTH1') return credentials;
    return { oAuthToken: credentials.oauth_token, oAuthTokenSecret: credentials.oauth_token_secret };
  }

  async getRawTokenResponse(key: string, connectionId: string): Promise<Parsed> {
    return (await this.#readConnection(key, connectionId)).data.credentials.raw;
  }

  async getMetadata(key: string, connectionId: string): Promise<Parsed> {
    return (await this.#readConnection(key, connectionId)).data.metadata;
  }

  async patchConnection(
    { connectionId, provider_config_key: key }: { readonly connectionId: string; readonly provider_config_key: string },
    data: Members,
  ): Promise<Parsed> {
    return (await this.#call('PATCH', `/connections/${connectionId}?provider_config_key=${key}`, { data })).data;
  }

  setMetadata(key: string, connectionId: string | readonly string[], metadata: Members): Promise<AxiosResponse> {
    const data = { metadata, connection_id: connectionId, provider_config_key: key };
    return this.#call('POST', '/connections/metadata', { data });
  }

  updateMetadata(key: string, connectionId: string | readonly string[], metadata: Members): Promise<AxiosResponse> {
    const data = { metadata, connection_id: connectionId, provider_config_key: key };
    return this.#call('PATCH', '/connections/metadata', { data });
  }

  deleteConnection(key: string, connectionId: string): Promise<AxiosResponse> {
    return this.#call('DELETE', `/connections/${connectionId}?provider_config_key=${key}`, { headers: JSON_TYPE });
  }

  /**
   * Polls until an end user has a connection of the integration; resolves with undefined after `MAX_POLLS` polls.
   *
   * @param pause waits between two polls
   */
  async waitForConnection(key: string, userId: string, pause: () => Promise<void>): Promise<Parsed> {
    for (let polls = 0; polls < MAX_POLLS; polls += 1) {
      const { connections } = await this.listConnections({ userId });
      const found = connections.find((one: { provider_config_key: string }) => one.provider_config_key === key);
      if (found !== undefined) return found;
      await pause();
    }
    return undefined;
  }

  proxy(request: ProxiedRequest): Promise<AxiosResponse> {
    const { endpoint, method = 'GET', data, params, headers: custom = {}, retryOn, decompress, retries } = request;
    const prefixed = Object.entries(custom).map(([name, value]) => [this.#named(`Proxy-${name}`), value]);
    const headers = {
      'Connection-Id': request.connectionId,
      'Provider-Config-Key': request.providerConfigKey,
      'Base-Url-Override': request.baseUrlOverride ?? '',
      [this.#named('Activity-Log-Id')]: '',
      ...Object.fromEntries(prefixed),
      ...(custom['Content-Type'] !== undefined && { 'Content-Type': custom['Content-Type'] }),
      ...(retries !== undefined && { Retries: retries }),
      ...(decompress === true && { Decompress: decompress }),
      ...(retryOn !== undefined && { 'Retry-On': retryOn.join(',') }),
      'Forward-Headers-On-Redirect': request.forwardHeadersOnRedirect ?? false,
    };
    const path = `/proxy${endpoint.startsWith('/') ? '' : '/'}${endpoint}`;
    return this.#call(method, path, { headers, data, ...(params !== undefined && { params }) });
  }

  async createConnectSession(data: Members): Promise<Parsed> {
    return (await this.#call('POST', '/connect/sessions', { data })).data;
  }

  async createReconnectSession(data: Members): Promise<Parsed> {
    return (await this.#call('POST', '/connect/sessions/reconnect', { data })).data;
  }

  async getEnvironmentVariables(): Promise<Parsed> {
    return (await this.#call('GET', '/environment-variables', { headers: JSON_TYPE })).data;
  }

  #readConnection(key: string, connectionId: string, flags: Flags = {}): Promise<AxiosResponse> {
    const params = {
      provider_config_key: key,
      force_refresh: flags.forceRefresh ?? false,
      refresh_token: flags.refreshToken ?? false,
      refresh_github_app_jwt_token: flags.refreshGithubAppJwtToken ?? false,
    };
    return this.#call('GET', `/connections/${connectionId}`, { headers: JSON_TYPE, params });
  }

  #call(method: string, path: string, { headers = {}, ...more }: Call = {}): Promise<AxiosResponse> {
    const { host, apiKey, prefix, isSync = false } = this.#options;
    const own = {
      [this.#named('Is-Sync')]: isSync,
      [this.#named('Is-Script')]: isSync,
      [this.#named('Is-Dry-Run')]: isSync,
      'User-Agent': `${prefix.toLowerCase()}-node-client/1.0.0 (linux/6.8.0; node.js/22.12.0)`,
      Authorization: `Bearer ${apiKey}`,
    };
    return axiosRequest({ method, url: `${host.replace(/\/$/, '')}${path}`, headers: { ...headers, ...own }, ...more });
  }

  #named(name: string): string {
    return `${this.#options.prefix}-${name}`;
  }
}

const TAG_NAMES: Texts = { displayName: 'end_user_display_name', email: 'end_user_email' };

/** Returns a query string in which brackets and commas are escaped and blanks are plus signs. */
function queryOf(members: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) query.append(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}
