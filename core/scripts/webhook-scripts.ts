import type { Knex } from 'knex';
import type { KeyRing } from '../kit/key-ring.ts';
import { type SharedPayload, storePayloads } from '../webhook-delivery/payload.ts';
import type { ScriptDeps } from './deps.ts';
import { queueScripts } from './queued-run.ts';
import type { NewQueuedScript } from './script-queue-store.ts';
import { scriptsOf } from './script-store.ts';
import { isSubscribed, MAX_PAYLOAD_BYTES, sealWebhook, type WebhookHead, webhookText } from './webhook-content.ts';

const MAX_ROWS = 500;
const MAX_CHARACTERS = 1024 * 1024;

/** One event of a delivery. */
export interface MatchedWebhook {
  readonly environmentId: number;
  readonly integrationId: number;
  readonly head: WebhookHead;
  readonly payload: SharedPayload;
}

/** A run that is to be queued. */
interface RequestedRun {
  readonly environmentId: number;
  /** Row ID of the connection. */
  readonly connection: number;
  readonly head: WebhookHead;
  /** Undefined: too large. */
  readonly payload: SharedPayload | undefined;
}

/**
 * Queues the scripts of webhooks in the transaction that matches them: each runs once for every connection that an event is
 * for, when that commits. Many rows go together, and never more than fit into memory.
 */
export class WebhookScripts {
  readonly #deps: Pick<ScriptDeps, 'keys' | 'signals'>;
  readonly #trx: Knex.Transaction;
  /** By integration; read once in a transaction. */
  readonly #subscriptions = new Map<number, Promise<readonly string[]>>();
  #runs: RequestedRun[] = [];
  /** Of payloads that are to be written with them. */
  #characters = 0;

  constructor(deps: Pick<ScriptDeps, 'keys' | 'signals'>, trx: Knex.Transaction) {
    this.#deps = deps;
    this.#trx = trx;
  }

  /** @returns what queues the script for a connection; undefined when no script is subscribed to the event */
  async runnerOf(matched: MatchedWebhook): Promise<((connectionRowId: number) => Promise<void>) | undefined> {
    const { environmentId, head } = matched;
    if (!isSubscribed(await this.#subscriptionsOf(matched), head.type)) return undefined;
    const isTooLarge = Buffer.byteLength(matched.payload.text) > MAX_PAYLOAD_BYTES;
    const payload = isTooLarge ? undefined : matched.payload;
    return (connection) => this.#add({ environmentId, connection, head, payload });
  }

  /** Writes those that are left. */
  async send(): Promise<void> {
    const { keys } = this.#deps;
    const runs = this.#runs;
    this.#runs = [];
    this.#characters = 0;
    const payloads = runs.flatMap(({ payload }) => payload ?? []);
    await storePayloads(keys, this.#trx, payloads);
    await queueScripts(
      this.#deps,
      this.#trx,
      runs.map((run) => rowOf(keys, run)),
    );
  }

  async #add(run: RequestedRun): Promise<void> {
    const { payload } = run;
    this.#runs.push(run);
    if (payload !== undefined && payload.reference === undefined) this.#characters += payload.text.length;
    if (this.#runs.length >= MAX_ROWS || this.#characters >= MAX_CHARACTERS) await this.send();
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

function rowOf(keys: KeyRing, { environmentId, connection, head, payload }: RequestedRun): NewQueuedScript {
  const webhook = sealWebhook(keys, { environmentId, connection }, webhookText(head, payload));
  return { environment_id: environmentId, connection_id: connection, webhook, payload_id: payload?.reference?.id ?? null };
}
