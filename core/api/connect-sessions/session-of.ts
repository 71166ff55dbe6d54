import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import type { SessionCaller } from '../../connections/connect-sessions/session-caller.ts';
import type { Caller } from '../../server/access/caller.ts';

/** Returns the session of a request whose route admits only connect sessions. */
export function sessionOf(caller: Caller): ConnectSession {
  return sessionCallerOf(caller).session;
}

/**
 * Like `sessionOf`, for a route that also admits sessions that have ended: says as well whether and why the session has ended.
 */
export function sessionCallerOf(caller: Caller): SessionCaller {
  if (caller.kind === 'session') return caller;
  throw new Error(`a caller of kind ${caller.kind} has no connect session`);
}
