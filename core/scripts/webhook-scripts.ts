import type { Knex } from 'knex';
import type { Queue } from '../db/queue.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { type SharedPayload, storePayloads } from '../webhook-delivery/payload.ts';
import type { ScriptDeps } from './deps.ts';
import { type ScriptJob, sendWebhookJobs } from './script-jobs.ts';
import { scriptsOf } from './script-store.ts';
import { isSubscribed, MAX_PAYLOAD_BYTES, sealWebhook, type WebhookHead, webhookText } from './webhook-content.ts';

const MAX_JOBS = 500;
const MAX_CHARACTERS = 1024 * 1024;

export interface WebhookScriptDeps {
  readonly keys: KeyRing;
  readonly queue: Pick<Queue, 'sendGrouped'>;
  readonly scriptRunner: ScriptDeps['scriptRunner'];
}

/** One event of a delivery. */
export interface MatchedWebhook {
  readonly environmentId: number;
  readonly integrationId: number;
  readonly head: WebhookHead;
  readonly payload: SharedPayload;
}

/** A run that is to be asked for. */
interface WantedRun {
  readonly environmentId: number;
  /** Row ID of the connection. */
  readonly connection: number;
  readonly head: WebhookHead;
  /** Undefined: too large. */
  readonly payload: SharedPayload | undefined;
}

/**
 * Asks for the scripts of webhooks in the transaction that matches them: each runs once for every connection that an event is
 * for, when that commits. Many jobs go together, and never more than fit into the memory.
 */
export class WebhookScripts {
  readonly #deps: WebhookScriptDeps;
  readonly #trx: Knex.Transaction;
  /** By integration; read once in a transaction. */
  readonly #subscriptions = new Map<number, Promise<readonly string[]>>();
  #runs: WantedRun[] = [];
  /** Of payloads that are to be written with them. */
  #characters = 0;

  constructor(deps: WebhookScriptDeps, trx: Knex.Transaction) {
    this.#deps = deps;
    this.#trx = trx;
  }

  /** What takes an event to the script of each of its connections; undefined when no script wants it. */
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
    const jobs = runs.map((run) => jobOf(keys, run));
    await sendWebhookJobs(this.#deps, this.#trx, jobs);
  }

  async #add(run: WantedRun): Promise<void> {
    const { payload } = run;
    this.#runs.push(run);
    if (payload !== undefined && payload.reference === undefined) this.#characters += payload.text.length;
    if (this.#runs.length >= MAX_JOBS || this.#characters >= MAX_CHARACTERS) await this.send();
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

function jobOf(keys: KeyRing, { environmentId, connection, head, payload }: WantedRun): ScriptJob {
  const webhook = sealWebhook(keys, { environmentId, connection }, webhookText(head, payload));
  const { reference } = payload ?? {};
  return { environmentId, connection, webhook, ...(reference && { payload: reference.id }) };
}
