import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import type { SessionCaller } from '../../connections/connect-sessions/session-caller.ts';
import type { Caller } from '../../server/access/caller.ts';

/** The session of a route that admits no other callers. */
export function sessionOf(caller: Caller): ConnectSession {
  return sessionCallerOf(caller).session;
}

/** As `sessionOf`, with what became of the session, for a route that also admits ended ones. */
export function sessionCallerOf(caller: Caller): SessionCaller {
  if (caller.kind === 'session') return caller;
  throw new Error(`a caller of kind ${caller.kind} has no session`);
}
