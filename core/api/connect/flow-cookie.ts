import { newSecret } from '../../kit/random-id.ts';
import { cookiesOf, fullCookieName, ourCookie } from '../../server/access/cookies.ts';

const NAME = 'svc_flow';
const ID = /^[A-Za-z0-9_-]{43}$/;
const DAY_SECONDS = 24 * 60 * 60;
/**
 * Maximum number of IDs that are read from a browser's cookies. A browser has several only if it began several flows at the same
 * time without a cookie.
 */
const MAX_IDS = 8;

/**
 * Creates an ID that binds a flow to the browser that began it, as a protection against login CSRF (RFC 9700 §4.7). The browser
 * keeps the ID for a day and uses it for all later flows.
 */
export function newBrowserId(): string {
  return newSecret();
}

export function flowCookie(browserId: string, baseUrl: string): string {
  return ourCookie({ name: NAME, value: browserId, baseUrl, maxAgeSeconds: DAY_SECONDS });
}

/**
 * Returns the cookies for a browser that has none yet. If two tabs begin at the same time, neither has a cookie, and the second
 * response replaces the cookie of the first; so each ID also gets a second cookie, whose name is unique to it.
 */
export function newFlowCookies(browserId: string, baseUrl: string): readonly string[] {
  const ownName = `${NAME}_${browserId.slice(0, 8)}`;
  return [flowCookie(browserId, baseUrl), ourCookie({ name: ownName, value: browserId, baseUrl, maxAgeSeconds: DAY_SECONDS })];
}

/** Returns the IDs in a browser's cookies, beginning with the one that new flows use. */
export function browserIdsFrom(header: string | undefined, baseUrl: string): readonly string[] {
  const main = fullCookieName({ name: NAME, baseUrl });
  const isOurs = (name: string) => name === main || (name.startsWith(`${main}_`) && name.length === main.length + 9);
  const found = [...cookiesOf(header)].filter(([name]) => isOurs(name));
  const ids = found.sort(([one], [other]) => one.length - other.length).map(([, value]) => value);
  return [...new Set(ids.filter((id) => ID.test(id)))].slice(0, MAX_IDS);
}
