import type { Knex } from 'knex';
import { withTransaction } from '../../core/db/transaction.ts';
import { Deliverer } from '../../core/webhook-delivery/deliverer.ts';
import type { WebhookDeliveryDeps } from '../../core/webhook-delivery/deps.ts';
import { type NewMessage, sendMessages } from '../../core/webhook-delivery/messages.ts';
import type { WebhookAttemptRow, WebhookMessageRow, WebhookTargetRow } from '../../core/webhook-delivery/webhook-rows.ts';
import { type AppOptions, startApp, type TestApp } from './app.ts';
import { rememberSecret } from './canaries.ts';
import { type FakeApplication, startFakeApplication } from './fake-application.ts';
import type { LedgerEntry } from './scripted-server/ledger.ts';
import { until } from './until.ts';

const ENVIRONMENT = 1;
const MAX_STEPS = 50;

/** A service and the application that receives its webhooks. */
export class Deliveries implements AsyncDisposable {
  readonly app: TestApp;
  readonly application: FakeApplication;
  readonly #opened: AsyncDisposableStack;

  private constructor(app: TestApp, application: FakeApplication, opened: AsyncDisposableStack) {
    this.app = app;
    this.application = application;
    this.#opened = opened;
  }

  /** Starts the service and the application. No webhook is delivered until the test calls `deliver`. */
  static async open(options: AppOptions = {}): Promise<Deliveries> {
    await using opened = new AsyncDisposableStack();
    const application = opened.use(await startFakeApplication());
    const app = opened.use(await startApp(options));
    const deliveries = new Deliveries(app, application, opened.move());
    await deliveries.setUrl(application.url);
    return deliveries;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }

  get db(): Knex {
    return this.app.database.db;
  }

  async setUrl(url: string | null, column = 'webhook_url'): Promise<void> {
    await this.db('environments')
      .where({ id: ENVIRONMENT })
      .update({ [column]: url });
  }

  /** Starts a deliverer with the service's dependencies, except those in `different`. Disposal of this object stops it. */
  async deliver(different: Partial<WebhookDeliveryDeps> = {}): Promise<Deliverer> {
    const deliverer = this.#opened.use(new Deliverer({ ...this.app.services, ...different }));
    deliverer.start();
    return deliverer;
  }

  /** Queues messages for delivery, each in a separate transaction. @returns their IDs */
  async send(count = 1, message: Partial<NewMessage> = {}): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let number = 0; number < count; number += 1) ids.push(...(await this.#sendAll([newMessage(number, message)])));
    return ids;
  }

  /** Queues messages for delivery, all in one transaction. @returns their IDs */
  sendTogether(count: number, message: Partial<NewMessage> = {}): Promise<readonly string[]> {
    return this.#sendAll(Array.from({ length: count }, (_, number) => newMessage(number, message)));
  }

  /** Lets time pass on the service's clock and on the database's. */
  advance(seconds: number): Promise<void> {
    return this.app.clock.advance(seconds * 1_000, this.db);
  }

  /** Lets time pass in steps, from one attempt to the next, and waits for the end of each attempt. */
  async pass(seconds: number): Promise<void> {
    let left = seconds;
    for (let next = await this.nextSeconds(); next < left; next = await this.nextSeconds()) {
      await this.advance(next);
      left -= next;
      await this.quiet();
    }
    await this.advance(left);
    await this.quiet();
  }

  /** Lets time pass in steps until no message is pending any more, but for at most `MAX_STEPS` steps. */
  async passUntilEnded(stepSeconds: number): Promise<void> {
    for (let steps = 0; steps < MAX_STEPS && (await this.#count('webhook_messages', { status: 'pending' })) > 0; steps += 1) {
      await this.advance(stepSeconds);
      await this.quiet();
    }
  }

  /** Waits until no attempt is in progress or due. */
  async quiet(): Promise<void> {
    await until('nothing is sent', () => this.isQuiet());
  }

  async isQuiet(): Promise<boolean> {
    const active = this.#pending()
      .whereNull('t.paused_at')
      .whereRaw('(attempt_until is not null or (next_attempt_at <= now() and (open_until > now()) is not true))');
    return (await active.first('m.id')) === undefined;
  }

  #sendAll(messages: readonly NewMessage[]): Promise<readonly string[]> {
    return withTransaction(this.db, (trx) => sendMessages(this.app.services, trx, messages));
  }

  async #count(table: string, where: object): Promise<number> {
    const [row] = await this.db(table).where(where).count();
    return Number(row?.['count']);
  }

  /** Returns the seconds until the next attempt of any message: at least 1, and infinity if no message is pending. */
  async nextSeconds(): Promise<number> {
    const soonest = 'ceil(extract(epoch from min(greatest(next_attempt_at, open_until)) - now()))::float as seconds';
    const [row] = await this.#pending().select<{ seconds: number | null }[]>(this.db.raw(soonest));
    return Math.max(row?.seconds ?? Number.POSITIVE_INFINITY, 1);
  }

  #pending(): Knex.QueryBuilder {
    return this.db('webhook_messages as m').join('webhook_targets as t', 't.id', 'm.target_id').where('m.status', 'pending');
  }

  messages(): Promise<WebhookMessageRow[]> {
    return this.db<WebhookMessageRow>('webhook_messages').orderBy('id');
  }

  attempts(): Promise<WebhookAttemptRow[]> {
    return this.db<WebhookAttemptRow>('webhook_attempts').orderBy('id');
  }

  async target(slot: WebhookTargetRow['slot'] = 'primary'): Promise<WebhookTargetRow> {
    const row = await this.db<WebhookTargetRow>('webhook_targets').where({ slot }).first();
    if (row === undefined) throw new Error('no such target');
    return row;
  }

  async untilStatus(status: WebhookMessageRow['status'], count: number, withinMs?: number): Promise<void> {
    const isSo = async () => (await this.#count('webhook_messages', { status })) >= count;
    await until(`${count} messages ${status}`, isSo, withinMs);
  }

  /** Waits until this many attempts have been recorded. */
  async attempted(count: number, withinMs?: number): Promise<void> {
    await until(`${count} attempts`, async () => (await this.#count('webhook_attempts', {})) >= count, withinMs);
  }

  /** Returns all requests that the application has received, by their `webhook-id`. */
  received(): ReadonlyMap<string, readonly LedgerEntry[]> {
    return Map.groupBy(this.application.ledger.entries, ({ headers }) => String(headers['webhook-id']));
  }

  async secret(): Promise<string> {
    const { keys } = this.app.services;
    const place = { table: 'environments', column: 'webhook_secret', environmentId: ENVIRONMENT, rowId: ENVIRONMENT };
    const row = await this.db('environments').where({ id: ENVIRONMENT }).first('webhook_secret');
    return rememberSecret('webhook secret', keys.decrypt(row.webhook_secret, place));
  }
}

function newMessage(number: number, different: Partial<NewMessage>): NewMessage {
  return { environmentId: ENVIRONMENT, type: 'forward', webhookUrlOverride: null, body: { number }, ...different };
}
