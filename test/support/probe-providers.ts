import { type Folder, makeFolders } from './folders.ts';

const OAUTH = {
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: 'https://provider.test/authorize',
  token_url: 'https://provider.test/token',
};
const ADDRESS = { type: 'string', title: 'Address', format: 'uri', optional: true };

/**
 * The fields shared by the definitions below of providers whose users enter credentials. A call verifies the credentials, and the
 * form has an input of each kind.
 */
const DIRECT = {
  docs: 'https://docs.example.com',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  connection_config: {
    site: { type: 'string', title: 'Site', pattern: '[a-z]{2,8}', optional: true },
    code: { type: 'string', title: 'Code', secret: true, optional: true },
    inner: { type: 'string', title: 'Inner', hidden: true, optional: true },
    found: { type: 'string', title: 'Found', automated: true },
  },
  proxy: { base_url: '${integrationConfig.server}/api', verification: { endpoints: ['/me'] } },
};

/**
 * The fields of definitions of providers that exchange a user name and a password for a token, at the same token endpoint that
 * OAuth apps use.
 */
const SIGN_IN = {
  token_url: '${integrationConfig.server}/token',
  token_params: { user: '${credentials.username}', pass: '${credentials.password}' },
  token_response: { token: 'access_token', token_expiration: 'expires_in', token_expiration_strategy: 'expireIn' },
  credentials: {
    username: { type: 'string', title: 'User name', pattern: '[a-z@.]+' },
    password: { type: 'string', title: 'Password', secret: true },
  },
};

const DEFINITIONS = {
  keyed: {
    ...DIRECT,
    display_name: 'Keyed',
    auth_mode: 'API_KEY',
    credentials: { apiKey: { type: 'string', title: 'API key', pattern: '\\S+', secret: true } },
  },
  login: { ...DIRECT, display_name: 'Login', auth_mode: 'BASIC' },
  identified: {
    ...DIRECT,
    display_name: 'Identified',
    auth_mode: 'BASIC',
    identity: { endpoint: '/me', account: { id: 'id', name: 'name' } },
  },
  client: { ...DIRECT, display_name: 'Client', auth_mode: 'OAUTH2_CC', token_url: '${integrationConfig.server}/token' },
  signed: {
    ...DIRECT,
    display_name: 'Signed',
    auth_mode: 'TBA',
    connection_config: { ...DIRECT.connection_config, accountId: { type: 'string', title: 'Account' } },
  },
  digest: { ...DIRECT, display_name: 'Digest', auth_mode: 'SIGNATURE' },
  // Connections of this provider also have a token, for applications that call the provider's API themselves instead of through
  // the proxy.
  'digest-token': {
    ...DIRECT,
    display_name: 'Digest with token',
    auth_mode: 'SIGNATURE',
    signature: { protocol: 'WSSE', header: 'X-Own-WSSE', digest: 'hex' },
    token_lifetime: 300,
  },
  stepped: { ...DIRECT, ...SIGN_IN, display_name: 'Stepped', auth_mode: 'TWO_STEP' },
  session: {
    ...DIRECT,
    ...SIGN_IN,
    display_name: 'Session',
    auth_mode: 'BILL',
    proxy: { ...DIRECT.proxy, headers: { authorization: 'Session ${credentials.session_id}' } },
  },
  tokened: {
    ...DIRECT,
    display_name: 'Tokened',
    auth_mode: 'JWT',
    credentials: {
      privateKey: { type: 'string', title: 'Signing key', secret: true },
      privateKeyId: { type: 'string', title: 'Key ID', pattern: '[\\w-]+' },
      issuerId: { type: 'string', title: 'Issuer' },
      account: { type: 'string', title: 'Account', optional: true },
      role: { type: 'string', title: 'Role', default_value: 'reader' },
      subject: { type: 'string', title: 'Subject', optional: true },
    },
    token: {
      signing_key: '${credentials.privateKey}',
      expires_in_ms: 600_000,
      header: { alg: 'ES256', kid: '${credentials.privateKeyId}' },
      payload: {
        iss: '${credentials.issuerId}',
        account: { omit_if_empty: '${credentials.account}' },
        aud: ['api', '${credentials.role}'],
        sub: { omit_if_empty: '${credentials.subject}' },
        fingerprint: '${credentials.publicKeyFingerprint}',
      },
    },
  },
  store: {
    ...DIRECT,
    display_name: 'Store',
    auth_mode: 'APP_STORE',
    credentials: {
      privateKey: { type: 'string', title: 'Private key', secret: true },
      privateKeyId: { type: 'string', title: 'Key ID' },
      issuerId: { type: 'string', title: 'Issuer ID' },
    },
    token: {
      signing_key: '${credentials.privateKey}',
      expires_in_ms: 1_200_000,
      header: { alg: 'ES256', kid: '${credentials.privateKeyId}' },
      payload: { iss: '${credentials.issuerId}', aud: 'appstoreconnect-v1', scope: ['GET /v1/apps'] },
    },
  },
  open: { ...DIRECT, display_name: 'Open', auth_mode: 'NONE' },
  // The verification call of this provider goes to the API address in the integration's configuration.
  verified: {
    ...OAUTH,
    display_name: 'Verified',
    integration_config: { api_base_url: ADDRESS },
    proxy: { base_url: '${integrationConfig.api_base_url}', verification: { endpoints: ['/me'] } },
  },
  // The plugin of this provider calls the address that the user typed, and repeats the response in its log or in an error, as the
  // user chose.
  fetching: {
    ...OAUTH,
    display_name: 'Fetching',
    connection_config: {
      address: { type: 'string', title: 'Address', optional: true },
      fault: { type: 'string', title: 'Fault', optional: true },
    },
  },
  // The hosts and paths of this provider contain values that end users type, applications send and developers configure.
  templated: {
    ...OAUTH,
    display_name: 'Templated',
    authorization_url: 'https://${connectionConfig.subdomain}.provider.test/authorize',
    token_url: 'https://${connectionConfig.subdomain}.provider.test/token',
    connection_config: {
      subdomain: { type: 'string', title: 'Subdomain', pattern: '[a-z0-9-]{1,63}', optional: true },
      region: { type: 'string', title: 'Region', optional: true },
    },
    integration_config: { site: { type: 'string', title: 'Site', format: 'hostname', optional: true } },
    authorization_params: { region: '${connectionConfig.region}' },
    proxy: {
      base_url: 'https://${connectionConfig.subdomain}.provider.test/api/${connectionConfig.region}',
      headers: { 'x-region': '${connectionConfig.region}' },
    },
  },
};

const FETCHING_PLUGIN = `
import { PluginError, type HookContext, type ProviderPlugin } from '#contract';

async function ask({ connection, fetch, tokens, log }: HookContext): Promise<void> {
  const { address, fault } = connection.connectionConfig;
  if (typeof address !== 'string') return;
  const response = await fetch(address, { headers: { authorization: 'Bearer ' + tokens.accessToken } });
  const text = [await response.text(), ...[...response.headers].flat()].join(' ');
  if (fault === 'log') log('the provider said: ' + text, { text });
  if (fault === 'throw') throw new Error('the provider said: ' + text, { cause: new Error(text) });
  if (fault === 'refuse') throw new PluginError('invalid_credentials', 'the provider said: ' + text);
  if (!response.ok) throw new PluginError('provider_unavailable', 'the provider responded with ' + response.status);
}

export default {
  contract: 1,
  connection: {
    afterAuthorization: async (ctx) => {
      await ask(ctx);
      return {};
    },
    beforeDeletion: ask,
  },
} satisfies ProviderPlugin;
`;

/**
 * Creates provider definitions, and the plugin of one of them, that between them make the service use each of its code paths with
 * an outbound call.
 */
export async function makeProbes(): Promise<Folder & { readonly env: Record<string, string> }> {
  const definitions = Object.entries(DEFINITIONS).map(([slug, text]) => [
    `providers/${slug}/provider.json`,
    JSON.stringify(text),
  ]);
  const folders = await makeFolders({ ...Object.fromEntries(definitions), 'plugins/fetching/plugin.ts': FETCHING_PLUGIN });
  return {
    ...folders,
    env: { SVC_PROVIDERS_DIR: `${folders.path}/providers`, SVC_PLUGINS_DIR: `${folders.path}/plugins` },
  };
}
