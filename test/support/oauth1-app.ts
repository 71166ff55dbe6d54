import { startApp, type TestApp } from './app.ts';
import { mustBe } from './connect.ts';
import { makeFolders } from './folders.ts';
import { type OAuth1Provider, startOAuth1Provider } from './oauth1-provider/oauth1-provider.ts';

const SERVER = '${integrationConfig.server}';

const COMMON = {
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH1',
  request_url: `${SERVER}/request_token`,
  authorization_url: `${SERVER}/authorize`,
  token_url: `${SERVER}/access_token`,
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  connection_config: {
    region: { type: 'string', title: 'Region', optional: true },
    user_id: { type: 'string', title: 'User', automated: true },
  },
  proxy: { base_url: `${SERVER}/api` },
};

/** One provider for each signature method, one with many optional fields, and one whose connections can only be imported. */
const DEFINITIONS = {
  'hmac-sha1': { ...COMMON, display_name: 'HMAC-SHA1' },
  'hmac-sha256': { ...COMMON, display_name: 'HMAC-SHA256', signature_method: 'HMAC-SHA256' },
  'rsa-sha1': { ...COMMON, display_name: 'RSA-SHA1', signature_method: 'RSA-SHA1' },
  plaintext: { ...COMMON, display_name: 'PLAINTEXT', signature_method: 'PLAINTEXT' },
  rich: {
    ...COMMON,
    display_name: 'Rich',
    request_url: `${SERVER}/request_token?version=1&b=2`,
    request_params: { x_auth_access_type: 'write', note: 'a b&c=${connectionConfig.region}' },
    authorization_params: { expiration: 'never', region: '${connectionConfig.region}' },
    token_params: { x_reverse: 'é + ~' },
    token_headers: { 'X-Client': 'svc' },
    default_scopes: ['read', 'write'],
    scope_separator: ',',
    redirect_uri_metadata: ['shard'],
    token_response_metadata: ['user_id', 'nested.name'],
    proxy: { ...COMMON.proxy, verification: { endpoints: ['/me'] } },
  },
  // This provider has no endpoints for a flow, so its connections can only be imported.
  bare: {
    ...COMMON,
    display_name: 'Bare',
    request_url: undefined,
    authorization_url: undefined,
    token_url: undefined,
  },
};

export const SIGNATURE_METHODS = ['hmac-sha1', 'hmac-sha256', 'rsa-sha1', 'plaintext'] as const;

/** A service with an integration of each provider in `DEFINITIONS`. An integration's key is its provider's name. */
export interface OAuth1App extends TestApp {
  /** The OAuth 1.0 server that all these integrations use. It is stopped together with the service. */
  readonly provider: OAuth1Provider;
}

export async function startOAuth1App(): Promise<OAuth1App> {
  await using opened = new AsyncDisposableStack();
  const files = Object.entries(DEFINITIONS).map(([slug, definition]) => [`${slug}/provider.json`, JSON.stringify(definition)]);
  const folders = opened.use(await makeFolders(Object.fromEntries(files)));
  const provider = opened.use(await startOAuth1Provider());
  const app = opened.use(await startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));
  for (const slug of Object.keys(DEFINITIONS)) {
    const key = slug === 'rsa-sha1' ? { private_key: provider.privateKey } : { client_secret: provider.clientSecret };
    const response = await app.api.post('/integrations', {
      unique_key: slug,
      provider: slug,
      credentials: { type: 'OAUTH1', client_id: provider.clientId, ...key },
      integration_config: { server: provider.url },
    });
    mustBe(200, response);
  }
  const closing = opened.move();
  return { ...app, provider, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}
