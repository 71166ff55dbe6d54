import { withTransaction } from '../db/transaction.ts';
import { type BacklogLimit, parkExcess, trimEnded } from './backlog-store.ts';
import type { WebhookDeliveryDeps } from './deps.ts';
import { noteTarget } from './notes.ts';
import { lockTarget } from './target-store.ts';

/** Limits of the waiting webhooks of one target: a busy target reaches them after some hours. */
const WAITING: BacklogLimit = { messages: 100_000, bytes: 1024 ** 3 };
/** Total size of one target's ended webhooks that are kept for reading and replaying. */
export const ENDED_BYTES = 1024 ** 3;

/** Gives up the oldest waiting webhooks of a target beyond its bounds, and logs it. */
export async function keepWithinLimits(deps: WebhookDeliveryDeps, targetId: number): Promise<void> {
  const hasExcess = await withTransaction(deps.db, async (trx) => {
    const target = await lockTarget(trx, targetId);
    if (target === undefined) return false;
    const count = await parkExcess(trx, targetId, deps.waitingBounds ?? WAITING);
    if (count > 0) noteTarget(deps, target, `has too many waiting webhooks: the oldest ${count} were given up`);
    return count > 0;
  });
  if (hasExcess) await trimEnded(deps.db, targetId, ENDED_BYTES);
}
