import { hashSecret } from '../kit/random-id.ts';
import type { ConnectSessionsDeps } from './deps.ts';
import type { ConnectSession } from './session.ts';
import { liveSessionByHash } from './session-store.ts';

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
  const session = await liveSessionByHash(deps, hashSecret(token), deps.clock.now());
  return session && { kind: 'session', session };
}
