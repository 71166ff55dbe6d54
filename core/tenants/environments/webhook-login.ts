import type { Knex } from 'knex';
import type { KeyRing, Place } from '../../kit/key-ring.ts';
import type { EnvironmentChanges } from './environment-store.ts';
import { dropUnnamedLogins, type LoginKey, loginAt, putLogin } from './webhook-login-store.ts';

/** Matches the user name and password in the text of a URL, before `URL` encodes them. */
const LOGIN = /^[^:]*:[/\\]*([^/\\?#]*)@/;
const NOT_ASCII = /[^\x21-\x7e]/;

interface LoginDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
}

interface UrlWithLogin {
  /** The URL without the login, as it is stored, shown and called. */
  readonly url: string;
  /** `user:password` (RFC 7617 §2); absent when the URL has none. */
  readonly login?: string;
}

/** Separates `user:password@` from a URL. */
export function splitLogin(text: string): UrlWithLogin {
  const url = new URL(text);
  const { username, password } = url;
  if (username === '' && password === '') return { url: text };
  url.username = '';
  url.password = '';
  return { url: url.href, login: [username, password].map(decodeURIComponent).join(':') };
}

/** Returns whether a text is an http(s) URL, and has no user name or one that Basic can carry (RFC 7617 §2: without a colon). */
export function isWebhookUrl(text: string): boolean {
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  // A user name with non-ASCII letters is refused: to a reader of the URL it can look like the host.
  if (NOT_ASCII.test(LOGIN.exec(text)?.[1] ?? '')) return false;
  try {
    return !decodeURIComponent(url.username).includes(':') && decodeURIComponent(url.password) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Stores the login of a URL in place of an earlier one; for a URL without a login, a stored login is kept.
 *
 * @returns the URL to store
 */
export async function keepLogin({ db, keys }: LoginDeps, { environmentId, of, url }: LoginKey): Promise<string> {
  const { url: plain, login } = splitLogin(url);
  if (login === undefined) return plain;
  await putLogin(db, { environmentId, of, url: plain }, (id) => keys.encrypt(login, loginPlace({ id, environmentId })));
  return plain;
}

const COLUMNS = ['webhook_url', 'webhook_url_secondary'] as const;

/** Returns the changes in their stored form: URLs without user name and password. */
export function withoutLogins(changes: EnvironmentChanges): EnvironmentChanges {
  const urls = COLUMNS.flatMap((column) => {
    const url = changes[column];
    return typeof url === 'string' && URL.canParse(url) ? [[column, splitLogin(url).url] as const] : [];
  });
  return { ...changes, ...Object.fromEntries(urls) };
}

/**
 * Stores the logins of changed URLs, and drops those of URLs that are no longer set. To be called in the transaction of the
 * change, after the change.
 */
export async function keepLogins(deps: LoginDeps, environmentId: number, changes: EnvironmentChanges): Promise<void> {
  for (const column of COLUMNS) {
    const url = changes[column];
    if (typeof url === 'string' && URL.canParse(url)) await keepLogin(deps, { environmentId, of: 'environment', url });
  }
  await dropUnnamedLogins(deps.db, environmentId);
}

/** Returns the value of `Authorization` for webhooks to a URL; undefined when it has no login. */
export async function basicOf({ db, keys }: LoginDeps, key: LoginKey): Promise<string | undefined> {
  const row = await loginAt(db, key);
  if (row === undefined) return undefined;
  const login = keys.decrypt(row.login, loginPlace({ id: row.id, environmentId: key.environmentId }));
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

export function loginPlace({ id, environmentId }: { readonly id: number; readonly environmentId: number }): Place {
  return { table: 'webhook_logins', column: 'login', environmentId, rowId: id };
}
