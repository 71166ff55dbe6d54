import { cookieValue, ourCookie } from './our-cookie.ts';

const NAME = 'svc_session';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The cookie of a session of the dashboard. @param maxAgeSeconds undefined: it ends with the browser */
export function memberCookie(token: string, where: { baseUrl: string; maxAgeSeconds?: number | undefined }): string {
  return ourCookie({ name: NAME, value: token, ...where });
}

/** Removes it. */
export function noMemberCookie(baseUrl: string): string {
  return memberCookie('', { baseUrl, maxAgeSeconds: 0 });
}

/** The session's token. */
export function memberTokenFrom(header: string | undefined, baseUrl: string): string | undefined {
  const token = cookieValue(header, { name: NAME, baseUrl }) ?? '';
  return TOKEN.test(token) ? token : undefined;
}
