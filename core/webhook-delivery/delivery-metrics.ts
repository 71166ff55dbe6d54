import type { Knex } from 'knex';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Outcome } from './attempt.ts';
import { countPending } from './message-store.ts';

/** Shows to Prometheus what is sent and what waits. @returns what to tell of every attempt */
export function showDeliveries(registry: Registry, db: Knex): (outcome: Outcome) => void {
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver a webhook message to the application, by what came of them.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const pending: Gauge = new Gauge({
    name: 'webhook_messages_pending',
    help: 'Webhook messages that wait for an attempt, of all instances.',
    registers: [registry],
    collect: async () => pending.set(await readPending(db)),
  });
  return ({ result, error }) => attempts.inc({ outcome: error ?? result });
}

/** Not a number while the database is away: the other metrics are all the more wanted then. */
async function readPending(db: Knex): Promise<number> {
  try {
    return await countPending(db);
  } catch {
    return Number.NaN;
  }
}
