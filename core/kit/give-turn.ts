import { setImmediate as nextTurn } from 'node:timers/promises';

/** To look at so many bytes once takes a fraction of a millisecond. */
const LARGE_BYTES = 64 * 1024;

/**
 * To be awaited between steps that each look at every byte: reading, verifying and encrypting something large in one go would
 * hold up everyone else. With little to do it costs nothing.
 *
 * @param bytes about how many the next step looks at
 */
export async function giveTurn(bytes: number): Promise<void> {
  if (bytes > LARGE_BYTES) await nextTurn();
}
