import type { SessionCaller } from '../connect-sessions/session-caller.ts';
import type { KeyCaller } from '../environments/caller.ts';

/** Who is calling, as far as the credential on the request tells. */
export type Caller = { readonly kind: 'anyone' } | KeyCaller | SessionCaller;

/** The environment a request acts in. Routes of the environment plane let nobody else in. */
export function environmentOf(caller: Caller): number {
  if (caller.kind === 'environment') return caller.environmentId;
  if (caller.kind === 'session') return caller.session.environmentId;
  throw new Error(`a caller of kind ${caller.kind} has no environment`);
}
