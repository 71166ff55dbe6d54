import { abortable } from '../kit/abortable.ts';

/**
 * Beside the limit of the run itself: reading the script, waiting for a turn, writing the record. Below the two seconds that
 * callers are promised.
 */
const ROOM_MS = 1_000;

/**
 * Work around one run for somebody who waits for it.
 *
 * @param limitMs of the run
 * @throws a TimeoutError when all of it takes more than a second longer
 */
export function withinTime<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(limitMs + ROOM_MS);
  return abortable(signal, work(signal));
}
