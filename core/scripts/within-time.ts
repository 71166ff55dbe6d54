import { abortable } from '../kit/abortable.ts';

/**
 * In addition to the run's timeout: reading the script, waiting in the queue, storing the run. Less than the two seconds that
 * callers are promised.
 */
const ROOM_MS = 1_000;

/**
 * Limits the time of a run that a caller waits for.
 *
 * @param limitMs of the run
 * @throws TimeoutError if it takes more than a second longer
 */
export function withinTime<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(limitMs + ROOM_MS);
  return abortable(signal, work(signal));
}
