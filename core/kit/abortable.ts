/**
 * Waits for work that cannot be stopped itself, but no longer than the signal allows. What the work answers later is dropped.
 *
 * @throws the signal's reason when it aborts first
 */
export async function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  work.then(resolve, reject);
  try {
    if (signal.aborted) giveUp();
    return await promise;
  } finally {
    // A signal that outlives the work, such as one of shutdown, would keep every listener.
    signal.removeEventListener('abort', giveUp);
  }
}
