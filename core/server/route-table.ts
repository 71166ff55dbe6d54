import { SCOPES } from '../tenants/api-keys/scopes.ts';
import { isPermitted } from '../tenants/members/permissions.ts';
import { isStream, type Route } from './route.ts';

const PATH = /^\/$|^(?:\/(?::[a-z0-9_]+|[a-z0-9_.-]+))+$/i;

/** Stops the start when a route is open by oversight, or can never be reached. @throws Error naming every such route */
export function checkRoutes<S>(routes: readonly Route<S>[]): void {
  const seen = new Set<string>();
  const faults = routes.flatMap((route) => {
    const name = `${route.method} ${route.path}`;
    const found = [
      !declaresAccess(route) && 'declares neither public, a scope, session, nor dashboard',
      !PATH.test(route.path) && 'has a path that is not /segments/and/:parameters',
      seen.has(name) && 'is declared twice',
      !isStream(route) && route.method === 'GET' && route.body !== undefined && 'is a GET with a body',
    ];
    seen.add(name);
    return found.filter((fault) => fault !== false).map((fault) => `${name} ${fault}`);
  });
  if (faults.length > 0) throw new Error(`the routes are wrong:\n${faults.join('\n')}`);
}

function declaresAccess<S>({ access }: Route<S>): boolean {
  if (access === 'public') return true;
  // Types are not checked at run time, and this is the one declaration that must not be forgotten.
  if (typeof access !== 'object' || access === null) return false;
  if ('dashboard' in access) return access.dashboard === 'anyone' || isPermitted(access.dashboard);
  return 'session' in access
    ? access.session === true || access.session === 'query'
    : (SCOPES as readonly string[]).includes(access.scope);
}
