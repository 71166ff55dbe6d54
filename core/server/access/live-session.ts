import type { SessionCaller } from '../../connections/connect-sessions/session-caller.ts';
import { endedError } from '../../connections/connect-sessions/session-end.ts';

/**
 * Checks that a session has not ended.
 *
 * @throws ServiceError `unknown_connect_session_token`, which tells the holder of the token why it ended
 */
export function requireLive({ ended }: Pick<SessionCaller, 'ended'>): void {
  if (ended !== undefined) throw endedError(ended);
}
