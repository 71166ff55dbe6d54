import { newSecret } from '../kit/random-id.ts';

const ID = /^[A-Za-z0-9_-]{43}$/;

/** Binds a flow to the browser that began it, against login CSRF (RFC 9700 §4.7). Set once, used by all later flows. */
export function newBrowserId(): string {
  return newSecret();
}

/**
 * `__Host-` (RFC 6265bis §4.1.3.2) needs https. Lax: the provider's redirect is a top-level GET, also after the hop of a
 * custom callback.
 */
export function flowCookie(browserId: string, baseUrl: string): string {
  return `${cookieName(baseUrl)}=${browserId}; Path=/; HttpOnly; SameSite=Lax${isSecure(baseUrl) ? '; Secure' : ''}`;
}

/** Undefined for a cookie that is absent, or given twice: which of two is ours cannot be told. */
export function browserIdFrom(header: string | undefined, baseUrl: string): string | undefined {
  const prefix = `${cookieName(baseUrl)}=`;
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  const [value] = values;
  return values.length === 1 && value !== undefined && ID.test(value) ? value : undefined;
}

function cookieName(baseUrl: string): string {
  return isSecure(baseUrl) ? '__Host-svc_flow' : 'svc_flow';
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
