import { COMMON_SETTINGS, splitList } from './common-settings.ts';
import type { JsonObject } from './context.ts';
import { settingOf } from './definition/api-key.ts';
import { TOKEN_REQUEST_AUTH_METHODS } from './definition/tokens.ts';
import { withDefaults } from './fields.ts';
import type { ProviderDefinition } from './provider.ts';

const KEY = '${apiKey}';

/** A definition as one integration uses it. */
export interface EffectiveDefinition extends ProviderDefinition {
  /**
   * What happens to credentials when the verification call proves nothing. `required`, the default, refuses them; `warn` accepts
   * and logs them; `off` makes no call.
   */
  readonly verify?: 'required' | 'warn' | 'off';
}

type Setting =
  | 'refresh_url'
  | 'token_request_auth_method'
  | 'body_format'
  | 'scope_separator'
  | 'disable_pkce'
  | 'issuer'
  | 'allowed_hosts'
  | 'revoked_codes'
  | 'verify';

/**
 * Applies an integration's settings to the definition. A setting is applied if it is one that every provider has, or if the
 * definition itself declares it as a field of `integration_config`. The values are texts, which were checked when they were set.
 */
export function effectiveDefinition(definition: ProviderDefinition, integrationConfig: JsonObject): EffectiveDefinition {
  const declared = { ...COMMON_SETTINGS, ...definition.integration_config };
  const values = withDefaults(definition.integration_config, integrationConfig);
  const read = (name: Setting): string | undefined => {
    const value = Object.hasOwn(declared, name) ? values[name] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const refreshUrl = read('refresh_url');
  const separator = read('scope_separator');
  const issuer = read('issuer');
  const authMethod = read('token_request_auth_method');
  const bodyFormat = read('body_format');
  const disablePkce = read('disable_pkce');
  const hosts = read('allowed_hosts');
  const codes = read('revoked_codes');
  const verify = read('verify');
  return {
    ...definition,
    // The placeholder and not the value: the value of a setting is filled in later, and never read as a template itself.
    ...(refreshUrl !== undefined && { refresh_url: '${integrationConfig.refresh_url}' }),
    ...(separator !== undefined && { scope_separator: separator }),
    ...(issuer !== undefined && { issuer: '${integrationConfig.issuer}' }),
    ...(isAuthMethod(authMethod) && { token_request_auth_method: authMethod }),
    ...((bodyFormat === 'form' || bodyFormat === 'json') && { body_format: bodyFormat }),
    ...(disablePkce !== undefined && { disable_pkce: disablePkce === 'true' }),
    ...(definition.proxy !== undefined && { proxy: withKeyPlace(withHosts(definition.proxy, hosts), values) }),
    ...(codes !== undefined && { revoked_codes: [...(definition.revoked_codes ?? []), ...splitList(codes)] }),
    ...((verify === 'required' || verify === 'warn' || verify === 'off') && { verify }),
  };
}

function isAuthMethod(value: string | undefined): value is NonNullable<ProviderDefinition['token_request_auth_method']> {
  return TOKEN_REQUEST_AUTH_METHODS.some((method) => method === value);
}

function withHosts(proxy: NonNullable<ProviderDefinition['proxy']>, list = ''): NonNullable<ProviderDefinition['proxy']> {
  if (list === '') return proxy;
  return { ...proxy, allowed_hosts: [...(proxy.allowed_hosts ?? []), ...splitList(list.toLowerCase())] };
}

type Proxy = NonNullable<ProviderDefinition['proxy']>;

/**
 * Adds the API key to the proxy's templates, at the place that the definition names.
 *
 * @param settings of the integration, with defaults
 */
function withKeyPlace(proxy: Proxy, settings: JsonObject): Proxy {
  if (proxy.api_key === undefined) return proxy;
  const { prefix = '' } = proxy.api_key;
  const place = settingOr(proxy.api_key.in, settings);
  const name = settingOr(proxy.api_key.name, settings);
  // Empty if the definition got the setting only after the integration was created.
  if (name === '') return proxy;
  if (place === 'query') return { ...proxy, query: { ...proxy.query, [name]: filledPrefix(prefix, settings) + KEY } };
  const word = settingOr(prefix, settings);
  const blank = /[A-Za-z0-9]$/.test(word) ? ' ' : '';
  return { ...proxy, headers: { ...proxy.headers, [name]: filledPrefix(prefix, settings) + blank + KEY } };
}

/** Returns the value of the setting whose placeholder this text is; any other text is returned as it is. */
function settingOr(member: string, settings: JsonObject): string {
  const name = settingOf(member);
  if (name === undefined) return member;
  const value = Object.hasOwn(settings, name) ? settings[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/**
 * Returns the prefix as a template, or an empty text if it stands for an empty setting. The value of the setting is filled in
 * later, and never read as a template itself.
 */
function filledPrefix(prefix: string, settings: JsonObject): string {
  return settingOr(prefix, settings) === '' ? '' : prefix;
}
