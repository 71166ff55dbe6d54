import { describeDatabaseFault } from '../db/database-fault.ts';
import { withTransaction } from '../db/transaction.ts';
import { WorkTable } from '../db/work-table.ts';
import { killPoint } from '../kit/kill-point.ts';
import { WebhookScripts } from '../scripts/webhook-scripts.ts';
import { claimDeliveries } from './delivery-store.ts';
import type { WebhookIngressDeps } from './deps.ts';
import { forwardDelivery } from './forward.ts';
import { type MatchedDelivery, noteMatch } from './match-log.ts';
import { MessageBatch } from './message-batch.ts';

const MANY = { rows: 100, bytes: 1024 * 1024 } as const;
const ONE = { rows: 1, bytes: 1 } as const;
/** Deliveries that arrive within that time are matched together: many at once cost a fraction of each alone. */
const TOGETHER_MS = 100;

/** Matches deliveries as they arrive. A claim lasts no longer than its transaction, so there is no lease. */
export function matchingTable(deps: WebhookIngressDeps): WorkTable {
  return new WorkTable({
    signals: deps.signals,
    log: deps.log,
    topic: 'webhook-deliveries',
    look: (signal) => matchDeliveries(deps, signal).then(() => undefined),
    minIntervalMs: TOGETHER_MS,
  });
}

/**
 * Handles all deliveries that no other transaction has claimed. Each is deleted in the transaction that writes its forwards, so
 * it is handled once, however many try and wherever they are killed.
 *
 * @throws what the database throws when it is away, or took too long for one of them; the others are handled
 */
export async function matchDeliveries(deps: WebhookIngressDeps, signal?: AbortSignal): Promise<void> {
  const failed = new Map<number, unknown>();
  for (let alone = 0; signal?.aborted !== true; alone = Math.max(0, alone - 1)) {
    const { ids, isFull, fault } = await matchSome(deps, { ...(alone > 0 ? ONE : MANY), except: [...failed.keys()] });
    const [id] = ids;
    // What has come since is signalled again.
    if (id === undefined || (fault === undefined && !isFull)) break;
    if (fault === undefined) continue;
    // One that cannot be handled must not hold up the others: it is looked for among them, and left to a later look.
    if (ids.length === 1) {
      deps.log.error('a webhook could not be handled', { deliveryId: id, error: fault });
      failed.set(id, fault);
    }
    alone = ids.length === 1 ? 0 : MANY.rows + 1;
  }
  const passing = failed.values().find((fault) => describeDatabaseFault(fault) !== undefined);
  if (passing !== undefined) throw passing;
}

interface MatchResult {
  readonly ids: readonly number[];
  /** There may be more. */
  readonly isFull: boolean;
  /** Nothing of it happened. */
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
      const messages = new MessageBatch(deps, trx);
      const scripts = new WebhookScripts(deps, trx);
      for (const delivery of deliveries) matched.push(await forwardDelivery({ ...deps, trx, messages, scripts }, delivery));
      await messages.send();
      await scripts.send();
      killPoint('webhook-match-before-commit');
    });
  } catch (error) {
    // Once something was claimed it may be the cause even of a statement that took too long; were the database away, the next
    // attempt would claim nothing.
    if (ids.length === 0) throw error;
    return { ids, isFull, fault: error };
  }
  for (const one of matched) noteMatch(deps.activity, one);
  return { ids, isFull };
}
