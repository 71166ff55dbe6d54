import { newSecret } from '../../kit/random-id.ts';

const ID = /^[A-Za-z0-9_-]{43}$/;
const DAY_SECONDS = 24 * 60 * 60;
/** A browser has more than one only if it began several flows at once without a cookie. */
const MAX_IDS = 8;

/** Binds a flow to the browser that began it, against login CSRF (RFC 9700 §4.7). Kept for a day, used by all later flows. */
export function newBrowserId(): string {
  return newSecret();
}

/**
 * `__Host-` (RFC 6265bis §4.1.3.2) needs https. Lax: the provider's redirect is a top-level GET, also after the hop of a
 * custom callback.
 */
export function flowCookie(browserId: string, baseUrl: string): string {
  return cookie(cookieName(baseUrl), browserId, baseUrl);
}

/**
 * The cookies for a browser without one. Two tabs that begin at once both have none, and the second response replaces the
 * cookie of the first: so each ID has a cookie under a name of its own besides.
 */
export function newFlowCookies(browserId: string, baseUrl: string): readonly string[] {
  return [flowCookie(browserId, baseUrl), cookie(`${cookieName(baseUrl)}_${browserId.slice(0, 8)}`, browserId, baseUrl)];
}

/** The IDs of a browser, that for new flows first. Repeated names are ignored: which one is ours is unknown. */
export function browserIdsFrom(header: string | undefined, baseUrl: string): readonly string[] {
  const main = cookieName(baseUrl);
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('=', 2) as [string, string?]);
  const ours = pairs.filter(([name]) => name === main || (name.startsWith(`${main}_`) && name.length === main.length + 9));
  const once = ours.filter(([name]) => ours.filter(([other]) => other === name).length === 1);
  const ids = once.sort(([one], [other]) => one.length - other.length).map(([, value = '']) => value);
  return [...new Set(ids.filter((id) => ID.test(id)))].slice(0, MAX_IDS);
}

function cookie(name: string, value: string, baseUrl: string): string {
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${DAY_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

function cookieName(baseUrl: string): string {
  return isSecure(baseUrl) ? '__Host-svc_flow' : 'svc_flow';
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
