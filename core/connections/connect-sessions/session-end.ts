import type { Knex } from 'knex';
import { ServiceError } from '../../errors.ts';
import type { ConnectSession } from './session.ts';
import { type SessionEnd, sessionEnd } from './session-store.ts';

const ENDS: Readonly<Record<SessionEnd, { readonly code: string; readonly message: string }>> = {
  used: { code: 'session_used', message: 'this connect session was used' },
  expired: { code: 'session_expired', message: 'this connect session has expired or was deleted' },
};

/** Returns the error that tells the holder of a session's token why the session has ended. */
export function endedError(end: SessionEnd): ServiceError {
  const { code, message } = ENDS[end];
  const details = [{ code, message, path: [] }];
  return new ServiceError('unknown_connect_session_token', `${message}; create a new one`, { details });
}

/** Returns the error for a request whose session ended while it was handled, such as by a second tab. */
export async function justEnded(db: Knex, session: Pick<ConnectSession, 'id' | 'environmentId'>): Promise<ServiceError> {
  return endedError(await sessionEnd(db, session));
}
