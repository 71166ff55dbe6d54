import type { Knex } from 'knex';
import type { KeyRing } from '../kit/key-ring.ts';
import { currentTrace } from '../kit/tracing.ts';
import type { OutboxDeps } from '../webhook-delivery/deps.ts';
import { type SharedPayload, storePayloads } from '../webhook-delivery/payload.ts';
import { PayloadBatch } from '../webhook-delivery/payload-batch.ts';
import { queueScripts } from './queued-run.ts';
import type { NewQueuedScript } from './script-queue-store.ts';
import { scriptsOf } from './script-store.ts';
import { isSubscribed, MAX_PAYLOAD_BYTES, sealWebhook, type WebhookHead, webhookText } from './webhook-content.ts';

/** One event of a delivery. */
export interface MatchedWebhook {
  readonly environmentId: number;
  readonly integrationId: number;
  readonly head: WebhookHead;
  readonly payload: SharedPayload;
}

/** The run of an event's script, for any of the event's connections. */
interface EventRun {
  readonly environmentId: number;
  readonly head: WebhookHead;
  /** Undefined when the payload is too large. */
  readonly payload: SharedPayload | undefined;
}

/** A run to queue. */
interface RequestedRun extends EventRun {
  /** Row ID of the connection. */
  readonly connection: number;
  readonly traceContext: string | null;
}

/**
 * Queues the scripts of deliveries in the transaction that matches them to connections. A script runs once for each connection of
 * an event, after that transaction has committed.
 */
export class WebhookScripts {
  readonly #trx: Knex.Transaction;
  readonly #runs: PayloadBatch<RequestedRun>;
  /** Subscriptions by integration, read once per transaction. */
  readonly #subscriptions = new Map<number, Promise<readonly string[]>>();

  constructor(deps: OutboxDeps, trx: Knex.Transaction) {
    this.#trx = trx;
    this.#runs = new PayloadBatch((runs) => queueRuns(deps, trx, runs));
  }

  /** Returns what the runs of an event's script have in common; undefined if no script is subscribed to the event. */
  async runOf(matched: MatchedWebhook): Promise<EventRun | undefined> {
    const { environmentId, head, payload } = matched;
    if (!isSubscribed(await this.#subscriptionsOf(matched), head.type)) return undefined;
    const isTooLarge = Buffer.byteLength(payload.text) > MAX_PAYLOAD_BYTES;
    return { environmentId, head, payload: isTooLarge ? undefined : payload };
  }

  /** Adds a run for a connection, given by its row ID; it is queued by `send`, or earlier when many have been added. */
  add(run: EventRun, connection: number): Promise<void> {
    return this.#runs.add({ ...run, connection, traceContext: currentTrace() ?? null });
  }

  /** Queues the runs that have been collected but not yet written. */
  send(): Promise<void> {
    return this.#runs.send();
  }

  #subscriptionsOf({ environmentId, integrationId }: MatchedWebhook): Promise<readonly string[]> {
    const known = this.#subscriptions.get(integrationId) ?? this.#read(environmentId, integrationId);
    this.#subscriptions.set(integrationId, known);
    return known;
  }

  async #read(environmentId: number, integrationId: number): Promise<readonly string[]> {
    const [script] = await scriptsOf(this.#trx, { environmentId, integrationId, event: 'on-webhook' });
    return script?.enabled === true ? script.webhookSubscriptions : [];
  }
}

async function queueRuns(deps: OutboxDeps, trx: Knex.Transaction, runs: readonly RequestedRun[]): Promise<void> {
  const payloads = runs.flatMap(({ payload }) => payload ?? []);
  await storePayloads(deps.keys, trx, payloads);
  const rows = runs.map((run) => rowOf(deps.keys, run));
  await queueScripts(deps, trx, rows);
}

function rowOf(keys: KeyRing, run: RequestedRun): NewQueuedScript {
  const { environmentId, connection, head, payload, traceContext: trace_context } = run;
  const webhook = sealWebhook(keys, { environmentId, connection }, webhookText(head, payload));
  const payload_id = payload?.reference?.id ?? null;
  return { environment_id: environmentId, connection_id: connection, webhook, payload_id, trace_context };
}
