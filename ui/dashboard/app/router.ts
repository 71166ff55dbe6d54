/** A place in the dashboard: the URL of one of its pages, with the query. */
export interface Place {
  /** The path below the service's base path, without a slash at either end, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export type Params = Readonly<Record<string, string>>;

/** The pattern of a route's path, such as `e/:env/logs/:id`. */
export interface Pattern {
  readonly path: string;
}

/**
 * Returns the first route of the table that matches, with the values of its parameters.
 *
 * @returns undefined when none matches
 */
export function matchRoute<R extends Pattern>(routes: readonly R[], path: string): { route: R; params: Params } | undefined {
  for (const route of routes) {
    const params = paramsOf(route.path, path);
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

function paramsOf(pattern: string, path: string): Params | undefined {
  const wanted = pattern.split('/');
  const found = path.split('/');
  if (wanted.length !== found.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = decoded(found[index] ?? '');
    if (!value) return undefined;
    if (part.startsWith(':')) params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns the path of a place, relative to the base of the pages. Each part is percent-encoded. */
export function pathOf(parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

/** @param base base URL of the pages, with a slash at its end @returns undefined when `href` is not below the base */
export function placeOf(href: string, base: string): Place | undefined {
  const url = new URL(href, base);
  const { origin, pathname } = new URL(base);
  if (url.origin !== origin || !url.pathname.startsWith(pathname)) return undefined;
  return { path: url.pathname.slice(pathname.length).replace(/^\/+|\/+$/g, ''), query: url.searchParams };
}

/**
 * Returns the path to which the user goes after signing in: a page of the dashboard, never another site.
 *
 * @param wanted value from the address bar, which anybody may have chosen
 */
export function returnPath(wanted: string | null, base: string): string {
  if (wanted === null || !URL.canParse(wanted, base)) return '';
  const place = placeOf(wanted, base);
  if (place === undefined || !/^(e|account)\//.test(place.path)) return '';
  const query = place.query.toString();
  return query === '' ? place.path : `${place.path}?${query}`;
}
