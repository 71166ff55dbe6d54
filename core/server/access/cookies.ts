const MEMBER_COOKIE = 'svc_session';
const MEMBER_TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface CookieName {
  readonly name: string;
  readonly baseUrl: string;
}

interface OurCookie extends CookieName {
  readonly value: string;
  /** Undefined for a cookie that ends with the browser. */
  readonly maxAgeSeconds?: number | undefined;
}

/**
 * Returns the value of `Set-Cookie`. SameSite is Lax, since links from elsewhere and redirects by providers are top-level GETs,
 * with which browsers send such cookies.
 */
export function ourCookie({ value, maxAgeSeconds, ...name }: OurCookie): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const secure = isSecure(name) ? '; Secure' : '';
  return `${fullCookieName(name)}=${value}; Path=/${age}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the name with the prefix `__Host-` (RFC 6265bis §4.1.3.2), which needs https, if the service uses https. */
export function fullCookieName(name: CookieName): string {
  return isSecure(name) ? `__Host-${name.name}` : name.name;
}

function isSecure({ baseUrl }: CookieName): boolean {
  return baseUrl.startsWith('https:');
}

/**
 * Returns the cookies of a request, by their full names. A name that occurs twice is left out, since it is unknown which value is
 * the service's.
 */
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

/** Returns the cookie of a dashboard session. @param maxAgeSeconds undefined for a cookie that ends with the browser */
export function memberCookie(token: string, where: { baseUrl: string; maxAgeSeconds?: number | undefined }): string {
  return ourCookie({ name: MEMBER_COOKIE, value: token, ...where });
}

/** Returns a cookie that removes the cookie of a dashboard session. */
export function noMemberCookie(baseUrl: string): string {
  return memberCookie('', { baseUrl, maxAgeSeconds: 0 });
}

/** Returns the token of a dashboard session, if the request has one. */
export function memberTokenFrom(header: string | undefined, baseUrl: string): string | undefined {
  const token = cookieValue(header, { name: MEMBER_COOKIE, baseUrl }) ?? '';
  return MEMBER_TOKEN.test(token) ? token : undefined;
}
