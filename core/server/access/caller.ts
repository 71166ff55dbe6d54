import type { SessionCaller } from '../../connections/connect-sessions/session-caller.ts';
import type { KeyCaller, PublicKeyCaller } from '../../tenants/api-keys/caller.ts';
import type { Environment } from '../../tenants/environments/environment-store.ts';
import type { ActingMember, AskedMember } from '../../tenants/members/caller.ts';

/** The caller of a request, as its credential identifies them. */
export type Caller = { readonly kind: 'anyone' } | KeyCaller | PublicKeyCaller | SessionCaller | AskedMember | ActingMember;

export const ANYONE: Caller = { kind: 'anyone' };

/** Returns the environment in which a request acts. Routes for environment keys admit no other callers. */
export function environmentOf(caller: Caller): number {
  if (caller.kind === 'environment' || caller.kind === 'public_key') return caller.environmentId;
  if (caller.kind === 'session') return caller.session.environmentId;
  throw new Error(`a caller of kind ${caller.kind} has no environment`);
}

/** Returns the account in which a request acts. Routes for account keys admit no other callers. */
export function accountOf(caller: Caller): number {
  if (caller.kind === 'account' || caller.kind === 'member') return caller.accountId;
  throw new Error(`a caller of kind ${caller.kind} has no account`);
}

/** Returns the signed-in member. Routes of the dashboard admit no other callers. */
export function memberOf(caller: Caller): AskedMember {
  if ('member' in caller) return caller.member;
  if (caller.kind === 'member') return caller;
  throw new Error(`a caller of kind ${caller.kind} is not signed in`);
}

/** Returns the environment of the path, with its settings. Dashboard routes below `IN_ENVIRONMENT` have one. */
export function environmentInPath(caller: Caller): Environment {
  if ('member' in caller) return caller.environment;
  throw new Error(`a caller of kind ${caller.kind} has no environment of the dashboard`);
}
