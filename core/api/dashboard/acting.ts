import { environmentByName } from '../../environments/environment-store.ts';
import type { Scope } from '../../environments/scopes.ts';
import { ServiceError } from '../../errors.ts';
import { type Caller, memberOf } from '../../http/caller.ts';
import type { Role } from '../../members/roles.ts';
import type { ApiServices } from '../services.ts';

const READ: readonly Scope[] = [
  'environment:integrations:list',
  'environment:integrations:read',
  'environment:connections:list',
  'environment:connections:read',
  'environment:scripts:list',
  'environment:scripts:read',
  'environment:logs:read',
  'environment:webhooks:read',
];

const CHANGE: readonly Scope[] = [
  ...READ,
  'environment:integrations:create',
  'environment:integrations:update',
  'environment:integrations:delete',
  'environment:connections:create',
  'environment:connections:update',
  'environment:connections:delete',
  'environment:connect_sessions:write',
  'environment:proxy',
  'environment:webhooks:replay',
];

/** Whoever writes scripts, or decides where credentials are sent, reads secrets by them: in production that is for admins. */
const CHANGE_ALL: readonly Scope[] = [...CHANGE, 'environment:scripts:write', 'environment:proxy:override'];

/** What a role may do by the endpoints of the API. Reading credentials is not among it: that is revealed one by one. */
function scopesOf(role: Role, isProduction: boolean): readonly Scope[] {
  if (role === 'viewer') return READ;
  return isProduction && role === 'developer' ? CHANGE : CHANGE_ALL;
}

/**
 * A member of the dashboard as the caller of an endpoint in one environment of the account.
 *
 * @param name of the environment @throws ServiceError `not_found`
 */
export async function actingIn({ db }: Pick<ApiServices, 'db'>, caller: Caller, name: string) {
  const member = memberOf(caller);
  const environment = await environmentByName(db, member.accountId, name);
  if (environment === undefined) throw new ServiceError('not_found', `there is no environment "${name}"`);
  const { id: environmentId, isProduction } = environment;
  const scopes = scopesOf(member.role, isProduction);
  const { accountId } = member;
  return {
    environment,
    caller: { kind: 'environment', member, accountId, environmentId, isProduction, scopes } as const,
  };
}
