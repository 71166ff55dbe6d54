import type { ProviderDefinition } from '../../core/contract/provider.ts';
import { canary } from './canaries.ts';
import { mustBe, type Service } from './connect.ts';
import { type Folder, makeFolders } from './folders.ts';

type AuthModeName = ProviderDefinition['auth_mode'];

/** The authentication modes whose credentials can be imported. */
export const IMPORTED_MODES = ['OAUTH1', 'OAUTH2', 'BASIC', 'API_KEY', 'OAUTH2_CC', 'NONE', 'TBA', 'APP'] as const;
export type ImportedMode = (typeof IMPORTED_MODES)[number];

const API = { type: 'string', title: 'API', format: 'uri', optional: true };
const WITH_API = { integration_config: { api_base_url: API }, proxy: { base_url: '${integrationConfig.api_base_url}' } };

/** The fields that a mode needs in its provider definition in addition to those that all definitions in this file share. */
const MEMBERS: Readonly<Partial<Record<AuthModeName, object>>> = {
  OAUTH2: { authorization_url: 'https://auth.example/authorize', token_url: 'https://auth.example/token' },
  OAUTH2_CC: { token_url: 'https://auth.example/token' },
  APP: {
    ...WITH_API,
    token_url: '${integrationConfig.api_base_url}/installations/${connectionConfig.installation_id}/token',
  },
};

const VERIFIED = { proxy: { ...WITH_API.proxy, verification: { endpoints: ['/me'] } } };

function definition(mode: AuthModeName, members: object = {}): string {
  const common = { display_name: mode, docs: 'https://docs.example.com', auth_mode: mode };
  return JSON.stringify({ ...common, ...MEMBERS[mode], ...members });
}

/**
 * Returns the name of the provider that `makeModeProviders` creates for a mode. With `-verified` appended, it is the name of a
 * second provider, whose credentials are verified by a call of `/me`; only some modes have one.
 */
export function providerOfMode(mode: AuthModeName): string {
  return `mode-${mode.toLowerCase().replaceAll('_', '-')}`;
}

/** Creates a folder for `SVC_PROVIDERS_DIR` with a provider for each mode whose credentials can be imported. */
export function makeModeProviders(): Promise<Folder> {
  const plain = IMPORTED_MODES.map((mode) => [`${providerOfMode(mode)}/provider.json`, definition(mode)]);
  const verified = (['BASIC', 'API_KEY', 'TBA'] as const).map((mode) => [
    `${providerOfMode(mode)}-verified/provider.json`,
    definition(mode, { ...WITH_API, ...VERIFIED }),
  ]);
  return makeFolders(Object.fromEntries([...plain, ...verified]));
}

/** Registers an integration whose key is the provider's name. */
export async function integrate({ api }: Pick<Service, 'api'>, provider: string, more: object = {}): Promise<string> {
  mustBe(200, await api.post('/integrations', { unique_key: provider, provider, ...more }));
  return provider;
}

/** Returns credentials of a mode as an import request contains them, with all optional fields. */
export function importableOf(mode: ImportedMode): Readonly<Record<string, unknown>> {
  const ownApp = { client_id: 'own-client', client_secret: canary('own client secret') };
  const in30Minutes = new Date(Date.now() + 30 * 60_000).toISOString();
  const members: Readonly<Record<ImportedMode, object>> = {
    OAUTH1: { oauth_token: canary('OAuth 1 token'), oauth_token_secret: canary('OAuth 1 token secret') },
    OAUTH2: {
      access_token: canary('imported access token'),
      refresh_token: canary('imported refresh token'),
      expires_at: in30Minutes,
      config_override: ownApp,
    },
    BASIC: { username: 'ada', password: canary('imported password') },
    API_KEY: { apiKey: canary('imported API key') },
    OAUTH2_CC: { client_id: 'client', client_secret: canary('own secret'), token: canary('own token'), expires_at: in30Minutes },
    NONE: {},
    TBA: { token_id: canary('token ID'), token_secret: canary('token secret'), config_override: ownApp },
    APP: { app_id: '4711', installation_id: '42' },
  };
  return { type: mode, ...members[mode] };
}
