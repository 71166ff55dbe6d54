import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ServiceError } from '../../errors.ts';
import { environmentName } from '../../tenants/environments/environment-name.ts';
import type { ActingMember, AskedMember } from '../../tenants/members/caller.ts';
import { permissionOf, requirePermission, requireRole, requireStage, scopesOf } from '../../tenants/members/permissions.ts';
import type { HttpDeps } from '../deps.ts';
import type { DashboardAccess } from '../route.ts';
import { ANYONE, type Caller } from './caller.ts';
import { memberTokenFrom } from './cookies.ts';

type Deps = Pick<HttpDeps, 'authenticator' | 'baseUrl'>;

interface MemberRequest {
  readonly access: DashboardAccess;
  readonly request: IncomingMessage;
  /** The name in the path; undefined when the route is not in an environment. */
  readonly environmentName: string | undefined;
}

/**
 * Authenticates a request of the dashboard, in the environment of the path if there is one. Only the cookie counts: API keys are
 * not accepted here.
 *
 * @throws ServiceError `signed_out` without a session, `factor_needed` if a second factor must be set up first, `forbidden` for a
 *   request from another site or a role without the permission, `password_needed` if members must first confirm that it is them;
 *   `not_found` if there is no such environment
 */
export async function authenticateMember(deps: Deps, { access, request, environmentName: name }: MemberRequest): Promise<Caller> {
  const { method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') requireSameOrigin(headers, new URL(deps.baseUrl).origin);
  if (access.dashboard === 'anyone') return ANYONE;
  const token = memberTokenFrom(headers.cookie, deps.baseUrl);
  const member = token === undefined ? undefined : await deps.authenticator.memberOf(token);
  if (member === undefined) throw new ServiceError('signed_out', 'sign in to the dashboard');
  const permission = permissionOf(access.dashboard);
  requireStage(member, permission);
  const asked: AskedMember = { ...member, asked: access.dashboard };
  if (name !== undefined) return actIn(deps, asked, name);
  requirePermission(member, permission, { isProduction: false });
  return asked;
}

/** Checks the permission in the environment, which may require more in production, and returns the member acting there. */
async function actIn({ authenticator }: Pick<Deps, 'authenticator'>, member: AskedMember, name: string): Promise<ActingMember> {
  const { accountId, asked } = member;
  const permission = permissionOf(asked);
  requireRole(member, permission.role);
  if (!environmentName.safeParse(name).success) throw new ServiceError('not_found', 'this is not a valid name of an environment');
  const environment = await authenticator.environmentNamed(accountId, name);
  if (environment === undefined) throw new ServiceError('not_found', `there is no environment "${name}"`);
  const { id: environmentId, isProduction } = environment;
  const doing = `do this here${asked.includes(':') ? ` (${asked})` : ''}`;
  requirePermission(member, permission, { isProduction, doing });
  const scopes = scopesOf(member, environment);
  return { kind: 'environment', member, environment, accountId, environmentId, isProduction, scopes };
}

/**
 * Protects against cross-site request forgery: a request that changes something must come from a page of the service.
 * `Sec-Fetch-Site` says so; a browser that sends none (Chromium on plain http) sends `Origin` (OWASP CSRF Prevention Cheat Sheet,
 * "Fetch Metadata"). Also, no form can send the header `X-Svc-UI`, and no script of another site without a preflight, which is
 * never allowed.
 *
 * @throws ServiceError `forbidden`
 */
function requireSameOrigin(headers: IncomingHttpHeaders, ownOrigin: string): void {
  const site = headers['sec-fetch-site'];
  const isSame = site === undefined ? headers.origin === ownOrigin : site === 'same-origin';
  if (!isSame) throw new ServiceError('forbidden', 'this request does not come from a page of this service');
  if (headers['x-svc-ui'] !== '1') throw new ServiceError('forbidden', 'this endpoint is for the dashboard: send "X-Svc-UI: 1"');
}
