import type { Caller } from '../environments/caller.ts';
import { hashSecret } from '../kit/random-id.ts';
import { liveSessionByHash } from './session-store.ts';
import type { SessionDeps } from './sessions.ts';

/** Whose a connect session token is; undefined when the session has ended, expired or never was. */
export async function sessionCaller(deps: SessionDeps, token: string): Promise<Caller | undefined> {
  const session = await liveSessionByHash(deps, hashSecret(token), deps.clock.now());
  return session && { kind: 'session', sessionId: session.id, environmentId: session.environmentId, token };
}
