import { AsyncLocalStorage } from 'node:async_hooks';

/** Who caused an operation. */
export interface Actor {
  readonly kind: 'api_key' | 'member' | 'session' | 'script' | 'system' | 'cli';
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** Nobody in particular: a schedule, a worker, a provider that sent a webhook. */
export const SYSTEM: Actor = { kind: 'system' };

const current = new AsyncLocalStorage<Actor>();

/** Operations that begin in `work`, and in what it calls, are this actor's. Set where a request is admitted. */
export function actAs<T>(actor: Actor, work: () => T): T {
  return current.run(actor, work);
}

/**
 * Whose request is being served. To be asked while it is: events of a shared socket, e.g. of the end of a body, may belong to
 * the context of another one.
 */
export function currentActor(): Actor {
  return current.getStore() ?? SYSTEM;
}
