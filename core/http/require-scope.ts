import { grants, type Scope } from '../environments/scopes.ts';
import { ServiceError } from '../errors.ts';
import type { Caller } from './caller.ts';

/** @throws ServiceError `forbidden`, naming the scope that is missing */
export function requireScope(caller: Caller, scope: Scope): void {
  if ((caller.kind === 'environment' || caller.kind === 'account') && grants(caller.scopes, scope)) return;
  const plane = scope.startsWith('account:') ? 'account' : 'environment';
  const message =
    caller.kind === plane
      ? `this API key lacks the scope ${scope}`
      : `this call needs a key of the ${plane} plane with the scope ${scope}`;
  throw new ServiceError('forbidden', message);
}

/** Whether a key may decide anew where the credentials of connections are sent: one that could read or divert them anyway. */
export function mayRedirectCredentials(caller: Caller): boolean {
  if (caller.kind !== 'environment') return false;
  const { scopes } = caller;
  return grants(scopes, 'environment:integrations:read_credentials') || grants(scopes, 'environment:proxy:override');
}

/** The one rule of who sees secrets in a response: an API key with the scope for it. Sessions and public keys never do. */
export function mayReadCredentials(caller: Caller, resource: 'connections' | 'integrations'): boolean {
  return caller.kind === 'environment' && grants(caller.scopes, `environment:${resource}:read_credentials`);
}
