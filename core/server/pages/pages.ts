import type { IncomingMessage } from 'node:http';
import type { PlainRoute, Reply } from '../route.ts';

/** The paths of a page, which people and their mail programs also write with a slash at the end; or all paths below it. */
export function pathsOf({ path, isPage }: Pick<PlainRoute<never>, 'path' | 'isPage'>): string[] {
  if (isPage === 'tree') return [path, `${path}/{*below}`];
  return isPage ? [path, `${path}/`] : [path];
}

/**
 * Leads from an address with a slash at its end to the one without: relative addresses in the page would be read wrongly there. A
 * browser keeps the fragment, in which a connect link has its token.
 *
 * @param rawUrl the request line's target
 * @returns undefined for an address without that slash
 */
export function withoutSlash(rawUrl: string): Reply | undefined {
  const [path = '', query] = rawUrl.split(/\?(.*)/s, 2);
  const [, segment] = /\/([^/]+)\/$/.exec(path) ?? [];
  if (segment === undefined) return undefined;
  return { status: 308, headers: { location: `../${segment}${query === undefined ? '' : `?${query}`}` } };
}

/** Whether the client is a browser, where a person sees the response. */
export function wantsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') === true;
}

/** The error page for an address that no route serves, beside existing pages. */
export function errorPageNear<S>(routes: readonly PlainRoute<S>[], path: string): PlainRoute<S>['errorPage'] {
  const folder = path.split('/', 2).join('/');
  return routes.find((one) => one.errorPage !== undefined && one.path.startsWith(`${folder}/`))?.errorPage;
}
