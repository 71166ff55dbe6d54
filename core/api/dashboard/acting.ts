import { ServiceError } from '../../errors.ts';
import { type Caller, memberOf } from '../../server/access/caller.ts';
import { environmentByName } from '../../tenants/environments/environment-store.ts';
import { permissionOf, requirePermission, scopesOf } from '../../tenants/members/permissions.ts';
import type { ApiServices } from '../services.ts';

/**
 * A member of the dashboard in one environment of the account, as the caller of an endpoint for API keys, too. What the route asks
 * for is checked as it is for production, if the environment is.
 *
 * @param name of the environment @throws ServiceError `not_found`, `forbidden`, `password_needed`
 */
export async function actingIn({ db }: Pick<ApiServices, 'db'>, caller: Caller, name: string) {
  const member = memberOf(caller);
  const environment = await environmentByName(db, member.accountId, name);
  if (environment === undefined) throw new ServiceError('not_found', `there is no environment "${name}"`);
  const { id: environmentId, isProduction } = environment;
  const { asked } = member;
  const doing = `do this here${asked.includes(':') ? ` (${asked})` : ''}`;
  requirePermission(member, permissionOf(asked), { isProduction, doing });
  const scopes = scopesOf(member, environment);
  const { accountId } = member;
  return {
    environment,
    caller: { kind: 'environment', member, accountId, environmentId, isProduction, scopes } as const,
  };
}
