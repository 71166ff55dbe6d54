import type { SessionCaller, SessionEnd } from '../../connections/connect-sessions/session-caller.ts';
import { ServiceError } from '../../errors.ts';

const ENDS: Readonly<Record<SessionEnd, { readonly code: string; readonly message: string }>> = {
  used: { code: 'session_used', message: 'this connect session was used' },
  expired: { code: 'session_expired', message: 'this connect session has expired or was deleted' },
};

/**
 * Checks that a session has not ended.
 *
 * @throws ServiceError `unknown_connect_session_token`, which tells the holder of the token why it ended
 */
export function requireLive({ ended }: Pick<SessionCaller, 'ended'>): void {
  if (ended === undefined) return;
  const { code, message } = ENDS[ended];
  const details = [{ code, message, path: [] }];
  throw new ServiceError('unknown_connect_session_token', `${message}; create a new one`, { details });
}
