import * as z from 'zod';
import { withTransaction } from '../../db/transaction.ts';
import type { Scope } from '../../environments/scopes.ts';
import { requireScope } from '../../http/require-scope.ts';
import { isStream, type PlainRoute, type Route } from '../../http/route.ts';
import { PATH_PARAM } from '../../http/router.ts';
import type { Role } from '../../members/roles.ts';
import type { HealthServices } from '../health.ts';
import type { ApiServices } from '../services.ts';
import { actingIn } from './acting.ts';
import { requireConfirmedInProduction } from './production.ts';
import { env, NO_ENVIRONMENT } from './schemas.ts';

type ApiRoute = PlainRoute<ApiServices & HealthServices>;

/** Of endpoints that the dashboard has in a form of its own: what they show stays inside, and what people do is recorded. */
const OWN: readonly string[] = [
  'environment:variables:read',
  'environment:connections:create',
  'environment:logs:read',
  'environment:scripts:read',
];

/** A script reads variables and webhook secrets, and may send or log them. */
const SCRIPTS: Scope = 'environment:scripts:write';

/** What the dashboard calls below `/api/ui/e/:env`: the other endpoints of the API for keys of an environment, as they are. */
export function mirrored(routes: readonly Route<ApiServices & HealthServices>[]): readonly ApiRoute[] {
  return routes.flatMap((route) => {
    const scope = scopeOf(route);
    return scope?.startsWith('environment:') && !OWN.includes(scope) && !isStream(route) && !route.deprecated
      ? [mirror(route, scope)]
      : [];
  });
}

function scopeOf<S>({ access }: Route<S>): Scope | undefined {
  return typeof access === 'object' && 'scope' in access ? access.scope : undefined;
}

/** The lowest role that has the scope in some environment. */
function roleFor(scope: Scope): Role {
  return /:(?:list|read)$/.test(scope) ? 'viewer' : 'developer';
}

function mirror({ writes, ...route }: ApiRoute, scope: Scope): ApiRoute {
  return {
    ...route,
    path: `/api/ui/e/:env${route.path}`,
    access: { dashboard: roleFor(scope) },
    params: paramsWithEnvironment(route),
    responses: { 404: NO_ENVIRONMENT, ...route.responses },
    async handle(services, request) {
      const { env: name, ...params } = request.params as Readonly<Record<string, string>> & { readonly env: string };
      const { caller } = await actingIn(services, request.caller, name);
      requireScope(caller, scope);
      if (scope === SCRIPTS) requireConfirmedInProduction(caller);
      const asKey = { ...request, caller, params };
      if (writes !== 'in-transaction') return route.handle(services, asKey);
      return withTransaction(services.db, (db) => route.handle({ ...services, db }, asKey));
    },
  };
}

function paramsWithEnvironment({ path, params }: ApiRoute): z.ZodType {
  if (params instanceof z.ZodObject) return params.extend({ env });
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return z.strictObject({ ...Object.fromEntries(names.map((name) => [name, PATH_PARAM])), env });
}
