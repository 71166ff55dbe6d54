const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * The cookie of a session of the dashboard. `__Host-` (RFC 6265bis §4.1.3.2) needs https. Lax: links from elsewhere lead a person
 * who is signed in to the page.
 *
 * @param maxAgeSeconds undefined: it ends with the browser
 */
export function memberCookie(token: string, { baseUrl, maxAgeSeconds }: { baseUrl: string; maxAgeSeconds?: number | undefined }) {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(baseUrl)}=${token}; Path=/${age}; HttpOnly; SameSite=Lax${secure}`;
}

/** Removes it. */
export function noMemberCookie(baseUrl: string): string {
  return memberCookie('', { baseUrl, maxAgeSeconds: 0 });
}

/** The session's token. A name that is there twice is ignored: which one is ours is unknown. */
export function memberTokenFrom(header: string | undefined, baseUrl: string): string | undefined {
  const name = cookieName(baseUrl);
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  const [found, second] = pairs.filter(([key]) => key === name);
  const token = found?.[1] ?? '';
  return second === undefined && TOKEN.test(token) ? token : undefined;
}

function cookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-svc_session' : 'svc_session';
}
