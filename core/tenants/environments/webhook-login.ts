import type { Knex } from 'knex';
import type { KeyRing, Place } from '../../kit/key-ring.ts';
import type { EnvironmentChanges } from './environment-store.ts';
import { dropUnnamedLogins, type LoginKey, loginAt, putLogin } from './webhook-login-store.ts';

/** What is before the `@` of a URL, as it was written. */
const LOGIN = /^[^:]*:[/\\]*([^/\\?#]*)@/;
const NOT_ASCII = /[^\x21-\x7e]/;

interface LoginDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
}

interface UrlWithLogin {
  /** Without it: what is stored, shown and called. */
  readonly url: string;
  /** `user:password` (RFC 7617 §2). */
  readonly login?: string;
}

/** Takes `user:password@` out of a URL. */
export function splitLogin(text: string): UrlWithLogin {
  const url = new URL(text);
  const { username, password } = url;
  if (username === '' && password === '') return { url: text };
  url.username = '';
  url.password = '';
  return { url: url.href, login: [username, password].map(decodeURIComponent).join(':') };
}

/** Whether a text is an http(s) URL, without user name or with one that Basic can carry (RFC 7617 §2: without a colon). */
export function isWebhookUrl(text: string): boolean {
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  // A user name in other letters can look like a host.
  if (NOT_ASCII.test(LOGIN.exec(text)?.[1] ?? '')) return false;
  try {
    return !decodeURIComponent(url.username).includes(':') && decodeURIComponent(url.password) !== undefined;
  } catch {
    return false;
  }
}

/** Keeps the login of a URL, in place of one that it had; a URL without keeps what it has. @returns the URL to store */
export async function keepLogin({ db, keys }: LoginDeps, { environmentId, of, url }: LoginKey): Promise<string> {
  const { url: plain, login } = splitLogin(url);
  if (login === undefined) return plain;
  await putLogin(db, { environmentId, of, url: plain }, (id) => keys.encrypt(login, loginPlace({ id, environmentId })));
  return plain;
}

const COLUMNS = ['webhook_url', 'webhook_url_secondary'] as const;

/** The changes as they are stored: URLs without user name and password. */
export function withoutLogins(changes: EnvironmentChanges): EnvironmentChanges {
  const urls = COLUMNS.flatMap((column) => {
    const url = changes[column];
    return typeof url === 'string' && URL.canParse(url) ? [[column, splitLogin(url).url] as const] : [];
  });
  return { ...changes, ...Object.fromEntries(urls) };
}

/** Keeps the logins of changed URLs, and drops those of URLs that are no longer named. In the transaction of the change, after it. */
export async function keepLogins(deps: LoginDeps, environmentId: number, changes: EnvironmentChanges): Promise<void> {
  for (const column of COLUMNS) {
    const url = changes[column];
    if (typeof url === 'string' && URL.canParse(url)) await keepLogin(deps, { environmentId, of: 'environment', url });
  }
  await dropUnnamedLogins(deps.db, environmentId);
}

/** The value of `Authorization` for messages to a URL. */
export async function basicOf({ db, keys }: LoginDeps, key: LoginKey): Promise<string | undefined> {
  const row = await loginAt(db, key);
  if (row === undefined) return undefined;
  const login = keys.decrypt(row.login, loginPlace({ id: row.id, environmentId: key.environmentId }));
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

export function loginPlace({ id, environmentId }: { readonly id: number; readonly environmentId: number }): Place {
  return { table: 'webhook_logins', column: 'login', environmentId, rowId: id };
}
