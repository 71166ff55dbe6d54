import type { Knex } from 'knex';
import type { Queue } from '../db/queue.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import type { ScriptDeps } from './deps.ts';
import { type ScriptJob, sendWebhookJobs } from './script-jobs.ts';
import { scriptsOf } from './script-store.ts';
import { isSubscribed, type SealedWebhook, sealWebhook, type WebhookOfScript } from './webhook-content.ts';

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
  readonly webhook: WebhookOfScript;
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
  #jobs: ScriptJob[] = [];
  #characters = 0;

  constructor(deps: WebhookScriptDeps, trx: Knex.Transaction) {
    this.#deps = deps;
    this.#trx = trx;
  }

  /** What takes an event to the script of each of its connections; undefined when no script wants it. */
  async runnerOf(matched: MatchedWebhook): Promise<((connectionRowId: number) => Promise<void>) | undefined> {
    const { environmentId, webhook } = matched;
    if (!isSubscribed(await this.#subscriptionsOf(matched), webhook.type)) return undefined;
    const text = JSON.stringify(webhook);
    return (connection) => {
      const sealed = sealWebhook(this.#deps.keys, { environmentId, connection }, text);
      return this.#add({ environmentId, connection, webhook: sealed }, sealed);
    };
  }

  /** Writes those that are left. */
  async send(): Promise<void> {
    const jobs = this.#jobs;
    this.#jobs = [];
    this.#characters = 0;
    await sendWebhookJobs(this.#deps, this.#trx, jobs);
  }

  async #add(job: ScriptJob, sealed: SealedWebhook): Promise<void> {
    this.#jobs.push(job);
    this.#characters += sealed.length;
    if (this.#jobs.length >= MAX_JOBS || this.#characters >= MAX_CHARACTERS) await this.send();
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
