import { ServiceError } from '../../errors.ts';
import { grants, type Scope } from '../../tenants/api-keys/scopes.ts';
import { isPermitted, permissionOf, requirePermission } from '../../tenants/members/permissions.ts';
import type { Caller } from './caller.ts';

/**
 * @throws ServiceError `forbidden`, which names the missing scope; `password_needed` if a member must first confirm who they are
 */
export function requireScope(caller: Caller, scope: Scope): void {
  if ('member' in caller && isPermitted(scope)) {
    requirePermission(caller.member, permissionOf(scope), caller);
    return;
  }
  if ((caller.kind === 'environment' || caller.kind === 'account') && grants(caller.scopes, scope)) return;
  const kind = scope.startsWith('account:') ? 'account' : 'environment';
  const message =
    caller.kind === kind ? `this API key lacks the scope ${scope}` : `this endpoint needs an ${kind} key with the scope ${scope}`;
  throw new ServiceError('forbidden', message);
}

/**
 * Returns whether the caller may see secrets in a response; no other rule decides this. An API key may if it has the scope for it;
 * sessions and public keys never may.
 */
export function mayReadCredentials(caller: Caller, resource: 'connections' | 'integrations'): boolean {
  return caller.kind === 'environment' && grants(caller.scopes, `environment:${resource}:read_credentials`);
}
