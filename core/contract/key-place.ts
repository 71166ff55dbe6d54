import type { JsonObject } from './context.ts';
import { settingOf } from './definition/api-key.ts';
import type { ProviderDefinition } from './provider.ts';

type Proxy = NonNullable<ProviderDefinition['proxy']>;

const KEY = '${apiKey}';

/**
 * The proxy's templates with the API key in its place.
 *
 * @param settings of the integration, with defaults
 */
export function withKeyPlace(proxy: Proxy, settings: JsonObject): Proxy {
  if (proxy.api_key === undefined) return proxy;
  const { prefix = '' } = proxy.api_key;
  const place = settingOr(proxy.api_key.in, settings);
  const name = settingOr(proxy.api_key.name, settings);
  // A setting may be younger than the integration.
  if (name === '') return proxy;
  if (place === 'query') return { ...proxy, query: { ...proxy.query, [name]: filledPrefix(prefix, settings) + KEY } };
  const word = settingOr(prefix, settings);
  const blank = /[A-Za-z0-9]$/.test(word) ? ' ' : '';
  return { ...proxy, headers: { ...proxy.headers, [name]: filledPrefix(prefix, settings) + blank + KEY } };
}

/** What a setting holds, else the member itself. */
function settingOr(member: string, settings: JsonObject): string {
  const name = settingOf(member);
  if (name === undefined) return member;
  const value = Object.hasOwn(settings, name) ? settings[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/** Its placeholder stays: what an integration sets is filled in, never read as a template itself. */
function filledPrefix(prefix: string, settings: JsonObject): string {
  return settingOr(prefix, settings) === '' ? '' : prefix;
}
