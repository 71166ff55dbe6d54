import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../errors.ts';
import type { MemberCaller } from '../../tenants/members/caller.ts';
import { permissionOf, requirePermission, requireRole, requireStage } from '../../tenants/members/permissions.ts';
import type { HttpDeps } from '../deps.ts';
import type { DashboardAccess } from '../route.ts';
import { ANYONE, type Caller } from './caller.ts';
import { memberTokenFrom } from './member-cookie.ts';
import { requireSameOrigin } from './same-origin.ts';

/**
 * Who makes a request of the dashboard: the cookie alone counts, an API key opens nothing here.
 *
 * What it takes in production, and what depends on that, is checked by `actingIn`, which knows the environment.
 *
 * @throws ServiceError `signed_out`, `factor_needed`, `forbidden`, `password_needed`
 */
export async function authenticateMember(
  deps: Pick<HttpDeps, 'authenticator' | 'baseUrl'>,
  access: DashboardAccess,
  request: IncomingMessage,
): Promise<Caller> {
  const { method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') requireSameOrigin(headers, new URL(deps.baseUrl).origin);
  if (access.dashboard === 'anyone') return ANYONE;
  const token = memberTokenFrom(headers.cookie, deps.baseUrl);
  const member: MemberCaller | undefined = token === undefined ? undefined : await deps.authenticator.memberOf(token);
  if (member === undefined) throw new ServiceError('signed_out', 'sign in to the dashboard');
  const permission = permissionOf(access.dashboard);
  requireStage(member, permission);
  if (permission.inProduction === undefined) requirePermission(member, permission, { isProduction: false });
  else requireRole(member, permission.role);
  return { ...member, asked: access.dashboard };
}
