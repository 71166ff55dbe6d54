import { AsyncLocalStorage } from 'node:async_hooks';

/** The caller or process that caused an operation. */
export interface Actor {
  readonly kind: 'api_key' | 'member' | 'session' | 'script' | 'system' | 'cli';
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** Nobody in particular: a schedule, a worker, or a provider that sent a delivery. */
export const SYSTEM: Actor = { kind: 'system' };

const current = new AsyncLocalStorage<Actor>();

/** Runs `work`; operations that begin in it, and in what it calls, belong to this actor. Called where a request is admitted. */
export function actAs<T>(actor: Actor, work: () => T): T {
  return current.run(actor, work);
}

/**
 * Returns the actor whose request is being served. To be called while it is served: events of a shared socket, e.g. the end of a
 * body, may belong to the context of another request.
 */
export function currentActor(): Actor {
  return current.getStore() ?? SYSTEM;
}
