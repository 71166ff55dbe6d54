import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.ts';
import type { MemberCaller } from '../members/caller.ts';
import { includesRole } from '../members/roles.ts';
import { ANYONE, type Caller } from './caller.ts';
import type { HttpDeps } from './deps.ts';
import { memberTokenFrom } from './member-cookie.ts';
import type { DashboardAccess } from './route.ts';
import { requireSameOrigin } from './same-origin.ts';

/**
 * Who makes a request of the dashboard: the cookie alone counts, an API key opens nothing here.
 *
 * @throws ServiceError `signed_out`, `forbidden`
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
  if (includesRole(member.role, access.dashboard)) return member;
  throw new ServiceError('forbidden', `your role (${member.role}) can't do this; ask an admin`);
}
