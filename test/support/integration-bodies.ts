import { generateKeyPairSync } from 'node:crypto';

const longest = (length: number) => 'k'.repeat(length);

/** A configuration for the provider `generic-oauth`, with URLs that are never called. */
export const CONFIG = {
  authorization_url: 'https://auth.example/authorize',
  token_url: 'https://auth.example/token',
  api_base_url: 'https://api.example',
};

/** Returns a URL of this many characters. */
const urlOf = (length: number) => `https://auth.example/${longest(length - 'https://auth.example/'.length)}`;

/** Every character that RFC 6749 §3.3 allows in a scope, except the comma. */
const EVERY_SCOPE_CHARACTER = Array.from({ length: 0x7e - 0x20 }, (_, at) => String.fromCharCode(0x21 + at))
  .filter((character) => !['"', '\\', ','].includes(character))
  .join('');

type Cases = Readonly<Record<string, object>>;
type Faults = Readonly<Record<string, readonly [given: object, path: readonly string[]]>>;

const credentials = (given: object) => ({ credentials: given });
const config = (given: object) => ({ integration_config: { ...CONFIG, ...given } });

/** Fields that every endpoint that creates or changes an integration must accept. */
export const NAMED: Cases = {
  'a key of one character': { unique_key: 'k' },
  'a key of 255 characters': { unique_key: longest(255) },
  'a key of every allowed character': { unique_key: 'aZ09~:.@ _-' },
  'a display name of one character': { display_name: 'd' },
  'a display name of 255 characters': { display_name: longest(255) },
  'webhooks that are forwarded': { forward_webhooks: true },
  'webhooks that are not': { forward_webhooks: false },
};

export const NAMED_FAULTS: Faults = {
  'an empty key': [{ unique_key: '' }, ['unique_key']],
  'a key of 256 characters': [{ unique_key: longest(256) }, ['unique_key']],
  ...Object.fromEntries(
    ['.', '..', 'a/b', 'a,b', 'ü', 'a\n', 'a%2Fb'].map((key) => [`the key ${key}`, [{ unique_key: key }, ['unique_key']]]),
  ),
  'a key that is no text': [{ unique_key: 7 }, ['unique_key']],
  'a key that is null': [{ unique_key: null }, ['unique_key']],
  'an empty display name': [{ display_name: '' }, ['display_name']],
  'a display name of 256 characters': [{ display_name: longest(256) }, ['display_name']],
  'a display name that is no text': [{ display_name: ['a'] }, ['display_name']],
  'a display name that is null': [{ display_name: null }, ['display_name']],
  'a flag that is a text': [{ forward_webhooks: 'true' }, ['forward_webhooks']],
  'a flag that is a number': [{ forward_webhooks: 1 }, ['forward_webhooks']],
  'a flag that is null': [{ forward_webhooks: null }, ['forward_webhooks']],
  'an unknown member': [{ uniqueKey: 'x' }, ['uniqueKey']],
  'a member that is only read': [{ created_at: '2026-01-15T09:30:00.000Z' }, ['created_at']],
};

/** Credentials and configurations that POST and PATCH of integrations of `generic-oauth` must accept. */
export const CONFIGURED: Cases = {
  'no member of the credentials': credentials({}),
  'the type of the provider': credentials({ type: 'OAUTH2' }),
  'a client ID of one character': credentials({ client_id: 'i' }),
  'a client ID of 255 characters': credentials({ client_id: longest(255) }),
  'a client secret of one character': credentials({ client_secret: 's' }),
  'a client secret of 4,096 characters': credentials({ client_secret: longest(4096) }),
  'no scopes': credentials({ scopes: '' }),
  'one scope': credentials({ scopes: 'https://auth.example/.default' }),
  'scopes of every allowed character': credentials({ scopes: `${EVERY_SCOPE_CHARACTER},read:tracker-work` }),
  'scopes of 8,192 characters': credentials({ scopes: longest(8192) }),
  'no webhook secret': credentials({ webhook_secret: '' }),
  'a webhook secret of one character': credentials({ webhook_secret: 'w' }),
  'a webhook secret of 255 characters': credentials({ webhook_secret: longest(255) }),
  'an optional value': config({ body_format: 'json' }),
  'an optional value that is empty': config({ body_format: '' }),
  'a value of 8,192 characters': config({ refresh_url: urlOf(8192) }),
  'plain http where the operator opened the host': config({ token_url: 'http://127.0.0.1:9/token' }),
};

const inCredentials = (given: object): readonly [object, string[]] => [
  credentials(given),
  ['credentials', ...Object.keys(given)],
];
const inConfig = (given: object): readonly [object, string[]] => [config(given), ['integration_config', ...Object.keys(given)]];

export const CONFIGURED_FAULTS: Faults = {
  'credentials that are a text': [{ credentials: 'client' }, ['credentials']],
  'credentials that are a list': [{ credentials: [] }, ['credentials']],
  'credentials that are null': [{ credentials: null }, ['credentials']],
  'credentials of another type': inCredentials({ type: 'BASIC' }),
  'credentials of an unknown type': inCredentials({ type: 'oauth2' }),
  'a type that is no text': inCredentials({ type: 2 }),
  'an empty client ID': inCredentials({ client_id: '' }),
  'a client ID of 256 characters': inCredentials({ client_id: longest(256) }),
  'a client ID that is no text': inCredentials({ client_id: 7 }),
  'a client ID that is null': inCredentials({ client_id: null }),
  'an empty client secret': inCredentials({ client_secret: '' }),
  'a client secret of 4,097 characters': inCredentials({ client_secret: longest(4097) }),
  'a client secret that is no text': inCredentials({ client_secret: {} }),
  'scopes that are a list': inCredentials({ scopes: ['read'] }),
  'scopes with a blank': inCredentials({ scopes: 'read, write' }),
  'scopes with nothing between commas': inCredentials({ scopes: 'read,,write' }),
  'scopes that end with a comma': inCredentials({ scopes: 'read,' }),
  'scopes with a quotation mark': inCredentials({ scopes: 'read"write' }),
  'scopes with a backslash': inCredentials({ scopes: 'read\\write' }),
  'scopes with a letter beyond ASCII': inCredentials({ scopes: 'leer,größe' }),
  'scopes of 8,193 characters': inCredentials({ scopes: longest(8193) }),
  'a webhook secret of 256 characters': inCredentials({ webhook_secret: longest(256) }),
  'a webhook secret that is no text': inCredentials({ webhook_secret: 1 }),
  'an unknown member of the credentials': inCredentials({ secret: 'x' }),
  'a member of other apps': inCredentials({ app_id: '12345' }),
  'a configuration that is a text': [{ integration_config: 'x' }, ['integration_config']],
  'a configuration that is a list': [{ integration_config: [] }, ['integration_config']],
  'a configuration that is null': [{ integration_config: null }, ['integration_config']],
  'an unknown field': inConfig({ x: 'y' }),
  'an unknown field that is empty': inConfig({ x: '' }),
  'a value that is no text': inConfig({ body_format: 7 }),
  'a value that is null': inConfig({ refresh_url: null }),
  'a value of 8,193 characters': inConfig({ refresh_url: urlOf(8193) }),
  'a value outside its list': inConfig({ body_format: 'xml' }),
  'a value that its pattern refuses': inConfig({ scope_separator: 'and' }),
  'no value where one is due': inConfig({ token_url: '' }),
  'a URL of another scheme': inConfig({ token_url: 'ftp://auth.example' }),
  'a URL with a user name': inConfig({ token_url: 'https://me@auth.example' }),
  'plain http to a host that is not opened': inConfig({ token_url: 'http://auth.example/token' }),
};

/** Returns a private key in one of the formats in which providers issue the keys of installable apps. */
export function pemKey(type: 'pkcs1' | 'pkcs8'): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type, format: 'pem' }).toString();
}
