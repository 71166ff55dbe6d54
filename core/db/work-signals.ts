import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from '../kit/logger.ts';
import type { Instances } from './instances.ts';
import type { Notices } from './notices.ts';
import { afterCommit } from './transaction.ts';

/** The topics of signals. Each stands for a work table, for a check of one, or for rows that a user interface follows. */
export type WorkTopic =
  | 'refreshes'
  | 'subscriptions'
  | 'deletions'
  | 'erasures'
  | 'webhook-deliveries'
  | 'webhook-messages'
  | 'webhook-limits'
  | 'script-queue'
  | 'schedules'
  | 'authorization-flows';

/** Minimum milliseconds between two notices: at most 20 are sent per second, topic and process. */
const NOTICE_INTERVAL_MS = 50;
/** Maximum number of keys in one notice, so that it does not exceed the size that Postgres allows. */
const MAX_KEYS = 200;
const POLL_INTERVAL_MS = 1_000;
/**
 * Seconds between two polls of a subscriber while signals arrive. Subscribers are polled in turn, so that few of them need a
 * database connection at the same time.
 */
const TURN_EVERY = 15;

interface WorkSubscriber {
  /** @param keys the parts of the table that have new work; undefined: any part */
  readonly onWork: (keys: readonly number[] | undefined) => void;
  /** Called when signals may have been missed. */
  readonly onGap?: () => void;
  /** Called every 15 s, since any signal may be lost, and every second while the signals of other processes do not arrive. */
  readonly onPoll?: () => void;
}

interface Topic {
  readonly subscribers: Set<WorkSubscriber>;
  /** The keys that have not been signalled to other processes yet. */
  pending: Set<number> | 'all' | undefined;
  timer: NodeJS.Timeout | undefined;
}

interface WorkSignalsOptions {
  readonly db: Knex;
  readonly notices: Notices;
  readonly instances: Pick<Instances, 'hearsNotices'>;
  readonly log: Logger;
}

/** The methods of `WorkSignals` that other folders use. */
export type Signals = Pick<WorkSignals, 'send' | 'subscribe' | 'areReceived'>;

/**
 * Signals to workers that a table has new due rows: in memory within this process, by notices to other processes. Signals may be
 * lost.
 */
export class WorkSignals implements Disposable {
  readonly #options: WorkSignalsOptions;
  readonly #id = randomUUID();
  readonly #topics = new Map<WorkTopic, Topic>();
  readonly #poll: NodeJS.Timeout;
  #polls = 0;

  constructor(options: WorkSignalsOptions) {
    this.#options = options;
    this.#poll = setInterval(() => this.#pollSubscribers(), POLL_INTERVAL_MS).unref();
  }

  /** True while the signals of other processes arrive. */
  get areReceived(): boolean {
    return this.#options.instances.hearsNotices;
  }

  /**
   * Sends a signal when the transaction `db` has committed. It is not sent inside the transaction, because notices there would
   * serialise commits.
   */
  send(db: Knex, topic: WorkTopic, keys: readonly number[] = []): void {
    afterCommit(db, () => this.#send(topic, keys));
  }

  /** @returns a function that ends the subscription */
  subscribe(topic: WorkTopic, subscriber: WorkSubscriber): () => void {
    const { subscribers } = this.#topicOf(topic);
    subscribers.add(subscriber);
    const onNotice = (text: string) => {
      const { from, keys }: { from?: string; keys?: readonly number[] } = JSON.parse(text);
      if (from !== this.#id) subscriber.onWork(keys);
    };
    const unsubscribe = this.#options.notices.subscribe(topic, onNotice, () => subscriber.onGap?.());
    return () => {
      subscribers.delete(subscriber);
      unsubscribe();
    };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#poll);
    for (const { timer } of this.#topics.values()) clearTimeout(timer);
  }

  #send(name: WorkTopic, keys: readonly number[]): void {
    const topic = this.#topicOf(name);
    for (const { onWork } of topic.subscribers) onWork(keys.length === 0 ? undefined : keys);
    topic.pending = merged(topic.pending, keys);
    if (topic.timer === undefined) this.#notify(name, topic);
  }

  #notify(name: WorkTopic, topic: Topic): void {
    const keys = topic.pending;
    topic.pending = undefined;
    topic.timer = keys && setTimeout(() => this.#notify(name, topic), NOTICE_INTERVAL_MS).unref();
    if (keys === undefined) return;
    const { db, notices, log } = this.#options;
    const text = JSON.stringify({ from: this.#id, ...(keys !== 'all' && { keys: [...keys] }) });
    // Without the notice, workers of other instances find the rows at their next poll.
    notices
      .publish(db, name, text)
      .catch((error: unknown) => log.debug('other instances could not be notified of new work', { topic: name, error }));
  }

  #pollSubscribers(): void {
    const polled = [...this.#topics.values()].flatMap(({ subscribers }) => [...subscribers].flatMap(({ onPoll = [] }) => onPoll));
    this.#polls += 1;
    for (const [index, onPoll] of polled.entries()) if (!this.areReceived || (this.#polls + index) % TURN_EVERY === 0) onPoll();
  }

  #topicOf(name: WorkTopic): Topic {
    const existing = this.#topics.get(name);
    if (existing !== undefined) return existing;
    const topic: Topic = { subscribers: new Set(), pending: undefined, timer: undefined };
    this.#topics.set(name, topic);
    return topic;
  }
}

function merged(pending: Topic['pending'], keys: readonly number[]): Topic['pending'] {
  if (pending === 'all' || keys.length === 0) return 'all';
  const all = new Set([...(pending ?? []), ...keys]);
  return all.size > MAX_KEYS ? 'all' : all;
}
