import { pauseUnlessAborted } from '../kit/abortable.ts';
import { backoffMs } from '../kit/backoff.ts';
import type { Logger } from '../kit/logger.ts';
import { databaseFaultOf, mayPass } from './start-fault.ts';

/** Milliseconds from the first fault until the start is given up: enough for a database that is started at the same time. */
const PATIENCE_MS = 60_000;
const BACKOFF = { firstMs: 250, maxMs: 5_000 };

interface PatienceOptions {
  readonly log: Logger;
  /** Aborted when the process is to end. */
  readonly signal: AbortSignal;
  /** Returns the milliseconds of a clock that never goes back. Default: `performance.now`. */
  readonly now?: () => number;
  readonly pause?: typeof pauseUnlessAborted;
}

/**
 * Repeats a step of the start while the database may still become available: each such fault is logged, and after 60 s the last
 * one is thrown. All other faults, such as a wrong password, are thrown immediately.
 *
 * @param step must leave nothing behind when it fails
 * @throws the errors of the step; the reason of the signal when the process is to end
 */
export async function whenDatabaseResponds<T>(
  step: () => Promise<T>,
  { log, signal, now = () => performance.now(), pause = pauseUnlessAborted }: PatienceOptions,
): Promise<T> {
  let failingSince: number | undefined;
  for (let failures = 1; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      failingSince ??= now();
      const leftMs = failingSince + PATIENCE_MS - now();
      if (!mayPass(error) || leftMs <= 0) throw error;
      log.warn('waiting for the database', { ...databaseFaultOf(error), leftSeconds: Math.round(leftMs / 1000) });
      await pause(Math.min(backoffMs(failures, Math.random, BACKOFF), leftMs), signal);
    }
  }
}
