import { grants, type Scope } from '../environments/scopes.ts';
import { ServiceError } from '../errors.ts';
import type { ActingMember } from '../members/caller.ts';
import { requireConfirmed } from '../members/sign-in.ts';
import type { Caller } from './caller.ts';

/** @throws ServiceError `forbidden`, naming the scope that is missing */
export function requireScope(caller: Caller, scope: Scope): void {
  if ((caller.kind === 'environment' || caller.kind === 'account') && grants(caller.scopes, scope)) return;
  if ('member' in caller) throw refusedRole(caller, `do this here (${scope})`);
  const plane = scope.startsWith('account:') ? 'account' : 'environment';
  const message =
    caller.kind === plane
      ? `this API key lacks the scope ${scope}`
      : `this call needs a key of the ${plane} plane with the scope ${scope}`;
  throw new ServiceError('forbidden', message);
}

const REDIRECTING: readonly Scope[] = ['environment:integrations:read_credentials', 'environment:proxy:override'];

/**
 * Who decides anew where the credentials of connections are sent: a key that could read or divert them anyway, and somebody with
 * such a role; in production with a fresh password, since a call to the new host shows what passwords protect. There it is not left
 * to people either where an integration has no connections, only its own secret.
 *
 * @param settings that decide it @throws ServiceError `forbidden`, `password_needed`
 */
export function requireRedirecting(
  caller: Caller,
  settings: readonly string[],
  { hasConnections }: { readonly hasConnections: boolean },
): void {
  if (!hasConnections && !('member' in caller && caller.isProduction)) return;
  const isOpen = caller.kind === 'environment' && REDIRECTING.some((scope) => grants(caller.scopes, scope));
  const what = `where its credentials are sent (${settings.join(', ')})`;
  if ('member' in caller) {
    if (!isOpen) throw refusedRole(caller, `change ${what}`);
    if (caller.isProduction) requireConfirmed(caller.member);
  } else if (!isOpen) {
    const needed = REDIRECTING.join(' or ');
    throw new ServiceError('forbidden', `only an API key that also has the scope ${needed} can change ${what}`);
  }
}

function refusedRole({ member }: ActingMember, what: string): ServiceError {
  return new ServiceError('forbidden', `your role (${member.role}) can't ${what}; ask an admin`);
}

/** The one rule of who sees secrets in a response: an API key with the scope for it. Sessions and public keys never do. */
export function mayReadCredentials(caller: Caller, resource: 'connections' | 'integrations'): boolean {
  return caller.kind === 'environment' && grants(caller.scopes, `environment:${resource}:read_credentials`);
}
