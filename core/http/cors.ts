import type { PlainRoute, Reply } from './route.ts';

/** Seconds that a browser may remember a preflight. */
const MAX_AGE = 600;

/**
 * Any page may call, and none with cookies: what opens the route is the token that the page was given. Sent to every caller,
 * whatever its `Origin`, so that no cache can serve one page's response to another.
 */
export const OPEN_TO_PAGES = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Svc-Request-Id, Retry-After',
} as const;

/**
 * Whether scripts of other sites' pages call the route: with a session's token, for a response that is no page itself. A key of
 * the API belongs to no browser, and a browser that navigates asks for no permission.
 */
export function isForPages<S>({ access, errorPage }: Pick<PlainRoute<S>, 'access' | 'errorPage'>): boolean {
  if (access === 'public' || errorPage !== undefined) return false;
  return 'session' in access || access.orSession === true;
}

/** The response to a preflight (Fetch standard, "CORS-preflight fetch"). @param methods that pages may use at the address */
export function preflightReply(methods: readonly string[]): Reply {
  const headers = {
    'access-control-allow-origin': OPEN_TO_PAGES['access-control-allow-origin'],
    'access-control-allow-methods': methods.toSorted().join(', '),
    'access-control-allow-headers': 'Authorization, Content-Type, Last-Event-ID',
    'access-control-max-age': String(MAX_AGE),
  };
  return { status: 204, headers };
}
