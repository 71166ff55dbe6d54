import type { IncomingMessage } from 'node:http';
import type { PlainRoute, Reply } from '../route.ts';

/**
 * Returns the paths at which a page is served: also with a slash at the end, which people and mail programs add. For a `tree`,
 * also all paths below it.
 */
export function pathsOf({ path, isPage }: Pick<PlainRoute<never>, 'path' | 'isPage'>): string[] {
  if (isPage === 'tree') return [path, `${path}/{*below}`];
  return isPage ? [path, `${path}/`] : [path];
}

/**
 * Redirects an address with a slash at its end to the one without, since relative addresses in the page would resolve wrongly
 * there. A browser keeps the fragment, in which a connect link has its token.
 *
 * @param rawUrl the target of the request line
 * @returns undefined for an address without that slash
 */
export function withoutSlash(rawUrl: string): Reply | undefined {
  const [path = '', query] = rawUrl.split(/\?(.*)/s, 2);
  const [, segment] = /\/([^/]+)\/$/.exec(path) ?? [];
  if (segment === undefined) return undefined;
  return { status: 308, headers: { location: `../${segment}${query === undefined ? '' : `?${query}`}` } };
}

/** Returns whether the client is a browser, in which a person sees the response. */
export function wantsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') === true;
}

/** Returns the error page for an address that no route serves, but that is in the same folder as existing pages. */
export function errorPageNear<S>(routes: readonly PlainRoute<S>[], path: string): PlainRoute<S>['errorPage'] {
  const folder = path.split('/', 2).join('/');
  return routes.find((one) => one.errorPage !== undefined && one.path.startsWith(`${folder}/`))?.errorPage;
}
