import { POLYGLOTS } from '../polyglots.ts';
import { Refusal, type StubbedApi } from './stub-api.ts';

/**
 * Fields of responses that stay unchanged, because pages base decisions or lookups on them. All other texts come from outside the
 * service, so pages must expect any content in them.
 */
const OURS = new Set([
  ...['type', 'kind', 'status', 'state', 'role', 'verdict', 'auth_mode', 'category', 'categories', 'level', 'format'],
  ...['cause', 'event', 'outcome', 'grade', 'proof', 'slot', 'language', 'state_reason', 'scope', 'scopes', 'method', 'stream'],
  ...['app', 'id', 'uuid', 'unique_key', 'provider', 'provider_config_key', 'environments', 'version', 'color', 'brand_color'],
  ...['factor_kinds', 'second_factor', 'no_passkeys', 'qr', 'webhook_keys', 'scopes_apply', 'app_need', 'way'],
]);
/** Times and URLs, which stay unchanged because pages rely on their form. */
const FORMED = /^(?:\d{4}-\d\d-\d\dT|https?:|data:)/;
const AT_ONCE = 3;

/** Returns the same responses with hostile markup and scripts appended to each text, different ones in each place. */
export function hostileApi(api: StubbedApi): StubbedApi {
  let next = 0;
  const spoil = (text: string) => {
    const more = Array.from({ length: AT_ONCE }, (_, index) => POLYGLOTS[(next + index) % POLYGLOTS.length]);
    next += AT_ONCE;
    return [text, ...more].join(' ');
  };
  const spoilAll = (value: unknown, key: string): unknown => {
    if (OURS.has(key)) return value;
    if (typeof value === 'string') return value === '' || FORMED.test(value) ? value : spoil(value);
    if (Array.isArray(value)) return value.map((item) => spoilAll(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoilAll(inner, name)]));
  };
  const spoiled = (answer: object): object =>
    answer instanceof Refusal || typeof answer === 'function' || 'stream' in answer ? answer : Object(spoilAll(answer, ''));
  return Object.fromEntries(Object.entries(api).map(([path, answer]) => [path, spoiled(answer)]));
}
