import type { ConnectSessionsDeps } from './deps.ts';
import type { ConnectSession } from './session.ts';
import { liveSession } from './sessions.ts';

/** A browser with a connect session token. The session is loaded once, where its token is checked. */
export interface SessionCaller {
  readonly kind: 'session';
  readonly session: ConnectSession;
}

/** Whose a connect session token is; undefined when the session has ended, expired or never was. */
export async function sessionCaller(
  deps: Pick<ConnectSessionsDeps, 'db' | 'keys' | 'clock'>,
  token: string,
): Promise<SessionCaller | undefined> {
  const session = await liveSession(deps, token);
  return session && { kind: 'session', session };
}
