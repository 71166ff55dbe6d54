import { ServiceError } from '../../errors.ts';
import { grants, type Scope } from '../../tenants/api-keys/scopes.ts';
import { isPermitted, permissionOf, requirePermission } from '../../tenants/members/permissions.ts';
import type { Caller } from './caller.ts';

/** @throws ServiceError `forbidden`, naming the scope that is missing; `password_needed` */
export function requireScope(caller: Caller, scope: Scope): void {
  if ('member' in caller && isPermitted(scope)) {
    requirePermission(caller.member, permissionOf(scope), caller);
    return;
  }
  if ((caller.kind === 'environment' || caller.kind === 'account') && grants(caller.scopes, scope)) return;
  const plane = scope.startsWith('account:') ? 'account' : 'environment';
  const message =
    caller.kind === plane
      ? `this API key lacks the scope ${scope}`
      : `this call needs a key of the ${plane} plane with the scope ${scope}`;
  throw new ServiceError('forbidden', message);
}

/** The one rule of who sees secrets in a response: an API key with the scope for it. Sessions and public keys never do. */
export function mayReadCredentials(caller: Caller, resource: 'connections' | 'integrations'): boolean {
  return caller.kind === 'environment' && grants(caller.scopes, `environment:${resource}:read_credentials`);
}
