import { publicRoutes } from '../../core/api/routes.ts';
import type { Access } from '../../core/server/route.ts';

/** One request to a route of the public API. */
export interface RouteCall {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  /** An empty object if the route takes a body. */
  readonly body: object | undefined;
}

/** Returns one request to every route of the public API, with a well-formed value for every parameter of its path. */
export function routeCalls(): readonly RouteCall[] {
  return publicRoutes.map((route) => {
    const isStream = 'stream' in route;
    const path = isStream
      ? `${route.path}/anything`
      : route.path.replaceAll(/:(\w+)/g, (_, name: string) => VALUES[name] ?? 'none');
    return {
      name: `${route.method} ${route.path}`,
      method: isStream ? 'GET' : route.method,
      path,
      access: route.access,
      body: !isStream && route.body !== undefined ? {} : undefined,
    };
  });
}

const VALUES: Readonly<Record<string, string>> = {
  id: '7b1c1b86-53f5-4d6c-b1a5-0f7f5c8b3d11',
  file: 'github.svg',
};
