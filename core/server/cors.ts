import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../errors.ts';
import { isAmong } from '../tenants/environments/origins.ts';
import type { Caller } from './access/caller.ts';
import type { PlainRoute, Reply } from './route.ts';

/** Number of seconds for which a browser may remember a preflight. */
const MAX_AGE = 600;

/**
 * Headers that let any page call a route, but without cookies: access depends on the token that the page was given. They are sent
 * to every caller, whatever its `Origin`, so that no cache can serve one page's response to another. Refusals reveal nothing and
 * keep these headers, so that pages can read why they are refused.
 */
export const OPEN_TO_PAGES = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Svc-Request-Id, Retry-After',
} as const;

/** The header in which the window itself names the origin that embeds it: its requests have the service's own origin. */
const EMBEDDER = 'x-svc-embed-origin';

/**
 * Returns whether scripts of other sites' pages may call the route: by a session token, for a response that is not a page itself.
 * An API key does not belong in a browser, and a browser that navigates to an address needs no permission by CORS.
 */
export function isForPages<S>({ access, errorPage }: Pick<PlainRoute<S>, 'access' | 'errorPage'>): boolean {
  if (access === 'public' || 'dashboard' in access || errorPage !== undefined) return false;
  return 'session' in access || access.orSession === true;
}

/**
 * Checks the page against the origins that the caller's environment allows, if it names any. A browser sends `Origin` and lets no
 * page forge it; `Origin: null` identifies no page, so it is refused.
 *
 * @returns headers that admit this page only, in place of `OPEN_TO_PAGES`; undefined if the environment names no origins
 * @throws ServiceError `forbidden` with the detail `origin_not_allowed` if the page's origin is not among them
 */
export function admitPage(caller: Caller, headers: IncomingHttpHeaders): Readonly<Record<string, string>> | undefined {
  const allowed = caller.kind === 'session' || caller.kind === 'public_key' ? caller.allowedOrigins : [];
  if (allowed.length === 0) return undefined;
  for (const [name, stated] of Object.entries({ origin: headers.origin, [EMBEDDER]: headers[EMBEDDER] }))
    if (stated !== undefined && !isAmong(String(stated), allowed)) throw notAllowed(name);
  // A request without `Origin` is not a CORS request, but its response must not be readable by all pages either.
  return { 'access-control-allow-origin': headers.origin ?? allowed[0] ?? '', vary: 'Origin' };
}

/**
 * Returns the response to a preflight (Fetch standard, "CORS-preflight fetch").
 *
 * @param methods the methods that pages may use at the address
 */
export function preflightReply(methods: readonly string[]): Reply {
  const headers = {
    // A preflight identifies no environment; the request itself is checked.
    'access-control-allow-origin': OPEN_TO_PAGES['access-control-allow-origin'],
    'access-control-allow-methods': methods.toSorted().join(', '),
    'access-control-allow-headers': 'Authorization, Content-Type, Last-Event-ID, Cache-Control, X-Svc-Embed-Origin',
    'access-control-max-age': String(MAX_AGE),
  };
  return { status: 204, headers };
}

function notAllowed(header: string): ServiceError {
  const message = 'the environment does not allow this page to connect accounts: add its origin to the allowed origins';
  return new ServiceError('forbidden', message, { details: [{ code: 'origin_not_allowed', message, path: [header] }] });
}
