import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import type { SessionCaller } from '../../connections/connect-sessions/session-caller.ts';
import type { Caller } from '../../server/access/caller.ts';

/** Returns the session of a route that admits no other callers. */
export function sessionOf(caller: Caller): ConnectSession {
  return sessionCallerOf(caller).session;
}

/** Like `sessionOf`, but also says whether and why the session has ended, for a route that admits ended ones. */
export function sessionCallerOf(caller: Caller): SessionCaller {
  if (caller.kind === 'session') return caller;
  throw new Error(`a caller of kind ${caller.kind} has no session`);
}
