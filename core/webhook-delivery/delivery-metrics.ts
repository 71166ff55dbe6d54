import type { Knex } from 'knex';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { WebhookDeliveryDeps } from './deps.ts';
import { countPending } from './message-store.ts';

/** Exposes attempts and pending webhooks to Prometheus. @returns a function to call with every outcome */
export function showDeliveries(registry: Registry, db: Knex): NonNullable<WebhookDeliveryDeps['onAttempt']> {
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver a webhook to the application, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const pending: Gauge = new Gauge({
    name: 'webhook_messages_pending',
    help: 'Webhooks that wait for an attempt, over all instances.',
    registers: [registry],
    collect: async () => pending.set(await readPending(db)),
  });
  return ({ result, error }) => attempts.inc({ outcome: error ?? result });
}

/** Counts the pending webhooks. NaN while the database is unreachable, so that the other metrics are still served. */
async function readPending(db: Knex): Promise<number> {
  try {
    return await countPending(db);
  } catch {
    return Number.NaN;
  }
}
