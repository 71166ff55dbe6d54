import { describeDatabaseFault } from '../db/database-fault.ts';
import { withTransaction } from '../db/transaction.ts';
import { WorkTable } from '../db/work-table.ts';
import { backoffMs } from '../kit/backoff.ts';
import { killPoint } from '../kit/kill-point.ts';
import { inSpan } from '../kit/tracing.ts';
import { WebhookScripts } from '../scripts/webhook-scripts.ts';
import { type NewMessage, sendMessages } from '../webhook-delivery/messages.ts';
import { PayloadBatch } from '../webhook-delivery/payload-batch.ts';
import { type ClaimedDelivery, claimDeliveries } from './delivery-store.ts';
import type { WebhookIngressDeps } from './deps.ts';
import { forwardDelivery } from './forward.ts';
import { type MatchedDelivery, noteMatch } from './match-log.ts';

const MANY = { rows: 100, bytes: 1024 * 1024 } as const;
const ONE = { rows: 1, bytes: 1 } as const;
/** Deliveries that arrive within this time are matched together, at a fraction of the cost. */
const TOGETHER_MS = 100;

/** Waits between attempts at a delivery that has failed even when it was matched alone; doubled with each failure. */
const BACKOFF = { firstMs: 1_000, maxMs: 300_000 };

interface FailedDelivery {
  readonly failures: number;
  /** Time of a monotonic clock. */
  readonly retryAtMs: number;
}

/**
 * Failed deliveries by row ID. They are kept in memory, since the rows have no due time: each process schedules its own retries.
 */
type FailedDeliveries = Map<number, FailedDelivery>;

/**
 * Creates the worker that matches deliveries as they arrive. A claim lasts no longer than its transaction, so there is no lease.
 */
export function matchingTable(deps: WebhookIngressDeps): WorkTable {
  const failed: FailedDeliveries = new Map();
  return new WorkTable({
    signals: deps.signals,
    log: deps.log,
    topic: 'webhook-deliveries',
    look: (signal) => matchDeliveries(deps, signal, failed),
    minIntervalMs: TOGETHER_MS,
  });
}

/**
 * Handles all deliveries that no other transaction has claimed. Each is deleted in the transaction that stores its webhooks and
 * script runs, so it is handled once, however many processes try and whenever they are killed.
 *
 * @param failed deliveries that could not be handled so far; skipped until their retry is due
 * @returns milliseconds until the next retry is due; undefined if there is none
 * @throws the database's error if the database is unreachable, or if one delivery took it too long; the other deliveries are then
 *   handled nevertheless
 */
export async function matchDeliveries(
  deps: WebhookIngressDeps,
  signal?: AbortSignal,
  failed: FailedDeliveries = new Map(),
): Promise<number | undefined> {
  const { now = () => performance.now() } = deps;
  const startedAtMs = now();
  const postponed = new Set([...failed].flatMap(([id, { retryAtMs }]) => (retryAtMs > startedAtMs ? id : [])));
  const faults: unknown[] = [];
  for (let alone = 0; signal?.aborted !== true; alone = Math.max(0, alone - 1)) {
    const { ids, isFull, fault } = await matchSome(deps, { ...(alone > 0 ? ONE : MANY), except: [...postponed] });
    const [id] = ids;
    // The loop may end here: later arrivals are signalled again.
    if (id === undefined || (fault === undefined && !isFull)) break;
    if (fault === undefined) continue;
    // A delivery that cannot be handled must not hold up the others: they are tried one at a time until it is found.
    if (ids.length === 1) {
      const failures = (failed.get(id)?.failures ?? 0) + 1;
      deps.log.error('a delivery could not be matched', { deliveryId: id, failures, error: fault });
      failed.set(id, { failures, retryAtMs: now() + backoffMs(failures, deps.random, BACKOFF) });
      postponed.add(id);
      faults.push(fault);
    }
    alone = ids.length === 1 ? 0 : MANY.rows + 1;
  }
  // Failed deliveries that are not postponed have been handled by now, by this process or another one.
  if (signal?.aborted !== true) for (const id of failed.keys()) if (!postponed.has(id)) failed.delete(id);
  const databaseFault = faults.find((fault) => describeDatabaseFault(fault) !== undefined);
  if (databaseFault !== undefined) throw databaseFault;
  return failed.size === 0 ? undefined : Math.min(...failed.values().map(({ retryAtMs }) => retryAtMs)) - now();
}

interface MatchResult {
  readonly ids: readonly number[];
  /** True when there may be more deliveries. */
  readonly isFull: boolean;
  /** The error; the whole transaction was rolled back. */
  readonly fault?: unknown;
}

async function matchSome(deps: WebhookIngressDeps, limits: Parameters<typeof claimDeliveries>[1]): Promise<MatchResult> {
  let ids: readonly number[] = [];
  let isFull = true;
  const matched: MatchedDelivery[] = [];
  try {
    await withTransaction(deps.db, async (trx) => {
      const deliveries = await claimDeliveries(trx, limits);
      ids = deliveries.map(({ id }) => id);
      isFull =
        deliveries.length === limits.rows || deliveries.reduce((sum, { content }) => sum + content.length, 0) >= limits.bytes;
      if (ids.length === 0) return;
      const messages = new PayloadBatch<NewMessage>((some) => sendMessages(deps, trx, some));
      const scripts = new WebhookScripts(deps, trx);
      const forward = (delivery: ClaimedDelivery) => forwardDelivery({ ...deps, trx, messages, scripts }, delivery);
      for (const delivery of deliveries) matched.push(await inSpan(deps.tracer, spanOf(delivery), () => forward(delivery)));
      await messages.send();
      await scripts.send();
      killPoint('webhook-match-before-commit');
    });
  } catch (error) {
    // Claimed rows may be the cause, even of a statement timeout; if the database is unreachable, the next attempt claims nothing
    // and throws.
    if (ids.length === 0) throw error;
    return { ids, isFull, fault: error };
  }
  for (const one of matched) noteMatch(deps, one);
  return { ids, isFull };
}

function spanOf({ provider, trace_context: parent }: ClaimedDelivery) {
  return { name: 'delivery matching', kind: 'internal', attributes: { 'svc.provider': provider }, parent } as const;
}
