import { AsyncLocalStorage } from 'node:async_hooks';

/** The caller or process that caused an operation. */
export interface Actor {
  readonly kind: 'api_key' | 'member' | 'session' | 'script' | 'system' | 'cli';
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** The actor of operations that no person or API key has caused, but a schedule, a worker, or a provider that sent a delivery. */
export const SYSTEM: Actor = { kind: 'system' };

const current = new AsyncLocalStorage<{ readonly actor: Actor; readonly requestId: string | undefined }>();

/**
 * Runs `work`; operations that begin in it, and in what it calls, belong to this actor, and to the request with this ID, if it is
 * part of one. To be called where a request is admitted.
 */
export function actAs<T>(actor: Actor, work: () => T, requestId?: string): T {
  return current.run({ actor, requestId }, work);
}

/**
 * Returns the actor whose request is being served; `SYSTEM` if there is none. Not to be called in event handlers: events of a
 * socket that requests share, such as the end of a body, may run in the context of another request.
 */
export function currentActor(): Actor {
  return current.getStore()?.actor ?? SYSTEM;
}

/** Returns the ID of the request that is being served; undefined if there is none. It has the limits of `currentActor`. */
export function currentRequestId(): string | undefined {
  return current.getStore()?.requestId;
}
