import type { ConnectSession } from '../connect-sessions/session.ts';
import type { Caller } from '../http/caller.ts';

/** The session of a route that admits no other callers. */
export function sessionOf(caller: Caller): ConnectSession {
  if (caller.kind === 'session') return caller.session;
  throw new Error(`a caller of kind ${caller.kind} has no session`);
}
