import type { SessionCaller } from '../connect-sessions/session-caller.ts';
import type { KeyCaller, PublicKeyCaller } from '../environments/caller.ts';

/** Who is calling, according to the credential of the request. */
export type Caller = { readonly kind: 'anyone' } | KeyCaller | PublicKeyCaller | SessionCaller;

/** The environment a request acts in. Routes of the environment plane admit no other callers. */
export function environmentOf(caller: Caller): number {
  if (caller.kind === 'environment' || caller.kind === 'public_key') return caller.environmentId;
  if (caller.kind === 'session') return caller.session.environmentId;
  throw new Error(`a caller of kind ${caller.kind} has no environment`);
}

/** The account a request acts in. Routes of the account plane admit no other callers. */
export function accountOf(caller: Caller): number {
  if (caller.kind === 'account') return caller.accountId;
  throw new Error(`a caller of kind ${caller.kind} acts in no account`);
}
