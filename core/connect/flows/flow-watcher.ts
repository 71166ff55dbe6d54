import type { Knex } from 'knex';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import type { Signals } from '../../db/work-signals.ts';
import type { LifecycleDeps } from '../deps.ts';

const TOPIC = 'authorization-flows';
/** How often followers read a flow, in milliseconds: a notice may be lost, and a process that has died sends none. */
const POLL_MS = 3_000;
/** How often followers read a flow where notices do not arrive, in milliseconds. */
const POLL_WITHOUT_NOTICES_MS = 1_000;
/** Maximum number of followers per session: a window opens one, and another after a network interruption. */
const MAX_PER_SESSION = 6;

/** Notifies everyone who follows the flow, on any instance, once the transaction `db` has committed. */
export function announceFlow({ db, signals }: { readonly db: Knex; readonly signals: Signals }, rowId: number): void {
  signals.send(db, TOPIC, [rowId]);
}

/** Watches the flows that callers of this process follow. */
export class FlowWatcher implements Disposable {
  readonly #signals: LifecycleDeps['signals'];
  readonly #followers = new Map<number, Set<() => void>>();
  readonly #perSession = new Map<number, number>();
  readonly #unsubscribe: () => void;

  constructor({ signals }: { readonly signals: Signals }) {
    this.#signals = signals;
    this.#unsubscribe = signals.subscribe(TOPIC, { onWork: (rowIds) => this.#wake(rowIds), onGap: () => this.#wake() });
  }

  /** Returns whether the session may have one more follower. */
  hasRoom({ id: sessionId }: Pick<ConnectSession, 'id'>): boolean {
    return (this.#perSession.get(sessionId) ?? 0) < MAX_PER_SESSION;
  }

  /**
   * Follows a flow. The returned object counts as a follower of the session until it is disposed of.
   *
   * @param ended a signal whose abort wakes the follower like a change, so that it can stop
   */
  follow({ id: sessionId }: Pick<ConnectSession, 'id'>, rowId: number, ended: AbortSignal): Following {
    this.#count(sessionId, 1);
    let hasChanged = false;
    let wake: (() => void) | undefined;
    const onChange = () => {
      hasChanged = true;
      wake?.();
    };
    const followers = this.#followers.get(rowId) ?? new Set();
    this.#followers.set(rowId, followers.add(onChange));
    ended.addEventListener('abort', onChange);
    return {
      changed: async (withinMs) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, Math.min(withinMs, this.#pollMs));
        wake = resolve;
        if (hasChanged || ended.aborted) resolve();
        await promise;
        hasChanged = false;
        clearTimeout(timer);
      },
      [Symbol.dispose]: () => {
        ended.removeEventListener('abort', onChange);
        followers.delete(onChange);
        if (followers.size === 0) this.#followers.delete(rowId);
        this.#count(sessionId, -1);
      },
    };
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
  }

  get #pollMs(): number {
    return this.#signals.areReceived ? POLL_MS : POLL_WITHOUT_NOTICES_MS;
  }

  #count(sessionId: number, added: number): void {
    const count = (this.#perSession.get(sessionId) ?? 0) + added;
    if (count === 0) this.#perSession.delete(sessionId);
    else this.#perSession.set(sessionId, count);
  }

  #wake(rowIds: readonly number[] = [...this.#followers.keys()]): void {
    for (const rowId of rowIds) for (const onChange of this.#followers.get(rowId) ?? []) onChange();
  }
}

interface Following extends Disposable {
  /** Resolves when the flow may have changed, and after `withinMs` at the latest. */
  changed(withinMs: number): Promise<void>;
}
