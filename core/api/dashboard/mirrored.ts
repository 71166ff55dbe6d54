import * as z from 'zod';
import { withTransaction } from '../../db/transaction.ts';
import { isStream, type PlainRoute, type Route } from '../../server/route.ts';
import { PATH_PARAM } from '../../server/router.ts';
import { isPermitted, type Permitted } from '../../tenants/members/permissions.ts';
import type { HealthServices } from '../health.ts';
import type { ApiServices } from '../services.ts';
import { actingIn } from './acting.ts';
import { env, NO_ENVIRONMENT } from './schemas.ts';

type ApiRoute = PlainRoute<ApiServices & HealthServices>;

/** What the dashboard calls below `/api/ui/e/:env`: the other endpoints of the API for keys of an environment, as they are. */
export function mirrored(routes: readonly Route<ApiServices & HealthServices>[]): readonly ApiRoute[] {
  return routes.flatMap((route) => {
    if (isStream(route) || route.deprecated || route.isReplacedInDashboard) return [];
    const { access } = route;
    return typeof access === 'object' && 'scope' in access && isPermitted(access.scope) ? [mirror(route, access.scope)] : [];
  });
}

function mirror({ writes, ...route }: ApiRoute, scope: Permitted): ApiRoute {
  return {
    ...route,
    path: `/api/ui/e/:env${route.path}`,
    access: { dashboard: scope },
    params: paramsWithEnvironment(route),
    responses: { 404: NO_ENVIRONMENT, ...route.responses },
    async handle(services, request) {
      const { env: name, ...params } = request.params as Readonly<Record<string, string>> & { readonly env: string };
      const { caller } = await actingIn(services, request.caller, name);
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
