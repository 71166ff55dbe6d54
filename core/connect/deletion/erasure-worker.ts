import type { Knex } from 'knex';
import { DueWorker } from '../../db/due-worker.ts';
import type { Signals } from '../../db/work-signals.ts';
import type { LifecycleDeps } from '../deps.ts';
import { type Erasure, eraseMarked } from './erase-marked.ts';
import { claimErasures, type DueErasure, insertErasure, nextErasureMs, writeNextErasure } from './erasure-store.ts';

/**
 * After how many seconds an erasure is retried after an internal error. One that fails every time is completed without clean-ups
 * (`erase-overdue.ts`).
 */
const AFTER_FAULT_SECONDS = 60;

/** Lets a worker erase the rows that the transaction marks, once it has committed. */
export async function sendErasure(
  { signals }: { readonly signals: Signals },
  trx: Knex.Transaction,
  erasure: Erasure,
): Promise<void> {
  await insertErasure(trx, erasure);
  signals.send(trx, 'erasures');
}

/** Erases integrations and environments that are marked deleted, in slices. */
export function erasureWorker(deps: LifecycleDeps): DueWorker<DueErasure> {
  const { signals, log, db } = deps;
  return new DueWorker({
    ...{ signals, log, topic: 'erasures' },
    claim: (room) => claimErasures(db, room),
    nextDueMs: () => nextErasureMs(db),
    groupOf: ({ environmentId }) => String(environmentId),
    work: (row, signal) => workOn(deps, row, signal),
  });
}

async function workOn(deps: LifecycleDeps, row: DueErasure, signal: AbortSignal): Promise<void> {
  let inSeconds: number | undefined = AFTER_FAULT_SECONDS;
  try {
    inSeconds = await eraseMarked(deps, row, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    inSeconds = 0;
  } finally {
    await writeNextErasure(deps.db, row, inSeconds);
  }
}
