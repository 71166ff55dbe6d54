import pLimit from 'p-limit';
import pg from 'pg';
import { pauseUnlessAborted } from '../kit/abortable.ts';
import { backoffMs } from '../kit/backoff.ts';
import type { Logger } from '../kit/logger.ts';
import { clientConfig } from './client-config.ts';

// Instances that watch this session wait 10 s for it to come back (`instances.ts`): this delay and the time-out of one attempt to
// connect fit into that.
const RECONNECT_BACKOFF = { firstMs: 100, maxMs: 4000 };
// A database connection that only listens does not notice by itself that the network is gone.
const HEARTBEAT_MS = 10_000;
// Notices come from the primary alone. After a fail-over the old one may still answer, but writes nothing.
const IS_PRIMARY = "select where current_setting('transaction_read_only') = 'off'";

interface ChannelSubscriber {
  readonly onPayload: (payload: string) => void;
  /** Called when payloads may have been missed. */
  readonly onGap: () => void;
}

/**
 * One database connection that listens for notifications. When it is lost, it is opened again automatically. Behind a pooler in
 * transaction mode nothing ever arrives: subscribers must also work without notifications.
 */
export class Listener implements AsyncDisposable {
  readonly #url: string;
  readonly #log: Logger;
  readonly #subscribers = new Map<string, Set<ChannelSubscriber>>();
  readonly #stopping = new AbortController();
  /** Runs one statement at a time: pg 9 will no longer accept a second one on a busy connection. */
  readonly #statements = pLimit(1);
  #client: pg.Client | undefined;
  #isPooled = false;
  readonly #run: Promise<void>;
  #reconnectedAtMs: number | undefined;

  constructor({ url, log }: { url: string; log: Logger }) {
    this.#url = url;
    this.#log = log;
    this.#run = this.#stayConnected();
  }

  /** Identifies the current connection, and changes with the next one; undefined while there is none. */
  get session(): object | undefined {
    return this.#client;
  }

  /** The time by `performance.now` of the last reconnection after an outage; undefined if there was none so far. */
  get reconnectedAtMs(): number | undefined {
    return this.#reconnectedAtMs;
  }

  /**
   * The process ID that the server sent when the connection began, for use in cancel requests (`BackendKeyData`). A pooler sends
   * an ID that it has made up, since the session that runs a statement may change.
   */
  get backendPid(): number | undefined {
    // Missing in the types of `pg`.
    const pid: unknown = this.#client && Reflect.get(this.#client, 'processID');
    return typeof pid === 'number' ? pid : undefined;
  }

  /**
   * True when the current connection, or the last one, is to a pooler: statements then run in another session than the one that
   * was named when the connection began.
   */
  get isPooled(): boolean {
    return this.#isPooled;
  }

  /** Runs one statement on this connection. @returns how many rows it wrote or read @throws Error when there is no connection */
  async query(sql: string, values: readonly unknown[]): Promise<number> {
    const client = this.#client;
    if (client === undefined) throw new Error('the listener is not connected');
    const { rowCount } = await this.#statements(() => client.query(sql, [...values]));
    return rowCount ?? 0;
  }

  /**
   * Subscribes to a channel. `onGap` is called as soon as this connection listens to the channel, and again after every
   * reconnection.
   *
   * @returns a function that ends the subscription
   */
  subscribe(channel: string, subscriber: ChannelSubscriber): () => void {
    const existing = this.#subscribers.get(channel);
    if (existing) {
      existing.add(subscriber);
      if (this.#client) queueMicrotask(subscriber.onGap);
    } else {
      this.#subscribers.set(channel, new Set([subscriber]));
      if (this.#client) this.#listen(this.#client, [channel]).catch((error: unknown) => this.#lost(error));
    }
    return () => this.#subscribers.get(channel)?.delete(subscriber);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#run;
  }

  async #stayConnected(): Promise<void> {
    let failures = 0;
    let hasFailed = false;
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#connectAndListen(() => {
          failures = 0;
          if (hasFailed) this.#reconnectedAtMs = performance.now();
        });
      } catch (error) {
        failures += 1;
        hasFailed = true;
        // The loss is a warning; that the database is still away at each attempt to reconnect is not.
        this.#lost(error, failures === 1 ? 'warn' : 'debug');
        await pauseUnlessAborted(backoffMs(failures, Math.random, RECONNECT_BACKOFF), this.#stopping.signal);
      }
    }
  }

  /** Returns when the listener is stopped; throws when the connection is lost. */
  async #connectAndListen(onConnected: () => void): Promise<void> {
    const client = new pg.Client(clientConfig(this.#url));
    const broken = new AbortController();
    client.on('error', (error) => broken.abort(error));
    client.on('end', () => broken.abort(new Error('the database connection ended')));
    client.on('notification', ({ channel, payload = '' }) => this.#deliver(channel, payload));
    try {
      await client.connect();
      this.#client = client;
      this.#isPooled = (await this.query('select where pg_backend_pid() = $1', [this.backendPid ?? null])) === 0;
      await this.#listen(client, [...this.#subscribers.keys()]);
      onConnected();
      await this.#heartbeat(client, AbortSignal.any([broken.signal, this.#stopping.signal]));
      broken.signal.throwIfAborted();
    } finally {
      this.#client = undefined;
      await client.end().catch(() => undefined);
    }
  }

  async #heartbeat(client: pg.Client, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await pauseUnlessAborted(HEARTBEAT_MS, ended);
      if (ended.aborted) return;
      const { rowCount } = await this.#statements(() => client.query(IS_PRIMARY));
      if (rowCount === 0) throw new Error('the database server has become read-only');
    }
  }

  async #listen(client: pg.Client, channels: readonly string[]): Promise<void> {
    for (const channel of channels) {
      await this.#statements(() => client.query(`listen ${client.escapeIdentifier(channel)}`));
      for (const { onGap } of this.#subscribers.get(channel) ?? []) onGap();
    }
  }

  #deliver(channel: string, payload: string): void {
    for (const { onPayload } of this.#subscribers.get(channel) ?? []) onPayload(payload);
  }

  #lost(error: unknown, level: 'warn' | 'debug' = 'warn'): void {
    if (!this.#stopping.signal.aborted) this.#log[level]('the database connection that listens for changes was lost', { error });
  }
}
