const MEMBER_COOKIE = 'svc_session';
const MEMBER_TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface CookieName {
  readonly name: string;
  readonly baseUrl: string;
}

interface OurCookie extends CookieName {
  readonly value: string;
  /** Undefined: it ends with the browser. */
  readonly maxAgeSeconds?: number | undefined;
}

/** SameSite is Lax: links from elsewhere and the redirects of providers are top-level GETs, which bring such cookies along. */
export function ourCookie({ value, maxAgeSeconds, ...name }: OurCookie): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const secure = isSecure(name) ? '; Secure' : '';
  return `${fullCookieName(name)}=${value}; Path=/${age}; HttpOnly; SameSite=Lax${secure}`;
}

/** `__Host-` (RFC 6265bis §4.1.3.2) needs https. */
export function fullCookieName(name: CookieName): string {
  return isSecure(name) ? `__Host-${name.name}` : name.name;
}

function isSecure({ baseUrl }: CookieName): boolean {
  return baseUrl.startsWith('https:');
}

/** The cookies of a request, by their full names. A name that is there twice is left out: which one is ours is unknown. */
export function cookiesOf(header: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string | undefined>();
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at > 0) found.set(name, found.has(name) ? undefined : pair.slice(at + 1).trim());
  }
  return new Map([...found].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

export function cookieValue(header: string | undefined, name: CookieName): string | undefined {
  return cookiesOf(header).get(fullCookieName(name));
}

/** The cookie of a session of the dashboard. @param maxAgeSeconds undefined: it ends with the browser */
export function memberCookie(token: string, where: { baseUrl: string; maxAgeSeconds?: number | undefined }): string {
  return ourCookie({ name: MEMBER_COOKIE, value: token, ...where });
}

/** Removes the cookie of a session of the dashboard. */
export function noMemberCookie(baseUrl: string): string {
  return memberCookie('', { baseUrl, maxAgeSeconds: 0 });
}

/** The token of a session of the dashboard, if the request has one. */
export function memberTokenFrom(header: string | undefined, baseUrl: string): string | undefined {
  const token = cookieValue(header, { name: MEMBER_COOKIE, baseUrl }) ?? '';
  return MEMBER_TOKEN.test(token) ? token : undefined;
}
