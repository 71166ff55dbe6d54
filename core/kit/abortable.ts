import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits for work that cannot be stopped, but only until the signal aborts. A result that arrives later is dropped.
 *
 * @throws the signal's reason when it aborts first
 */
export async function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  work.then(resolve, reject);
  try {
    if (signal.aborted) abort();
    return await promise;
  } finally {
    // Otherwise, a signal that outlives the work, such as that of the shutdown, would accumulate listeners.
    signal.removeEventListener('abort', abort);
  }
}

/** Waits for the given time, or until the signal aborts; never rejects. */
export async function pauseUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => undefined);
}
