import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Notices } from '../../db/notices.ts';
import type { Signals } from '../../db/work-signals.ts';
import type { Logger } from '../../kit/logger.ts';
import { findEndedClientFlows } from './client-flow-store.ts';
import { type ClientFrame, outcomeFrame } from './client-frames.ts';

const REFUSALS = 'client-refusals';
/** How often rows are polled, in milliseconds: a notice may be lost, and behind a connection pooler none arrive. */
const POLL_MS = 2_000;

interface ClientChannelsDeps {
  readonly signals: Signals;
  readonly db: Knex;
  readonly notices: Notices;
  readonly log: Logger;
}

/** A client of an existing frontend that is connected to this instance and waits for the result of an authorization. */
interface ClientChannel extends Disposable {
  /** The `ws_client_id` of its authorization. */
  readonly id: string;
}

/**
 * Tells the clients of existing frontends, which were written for the API of another product, how their authorization has ended:
 * once, and whichever instance the user's browser has reached. Outcomes of flows are read from their rows; refusals to begin a
 * flow, which have no row, arrive by notice.
 */
export class ClientChannels implements Disposable {
  readonly #deps: ClientChannelsDeps;
  readonly #open = new Map<string, (frame: ClientFrame) => void>();
  readonly #subscriptions: readonly (() => void)[];
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;
  #isStale = false;

  constructor(deps: ClientChannelsDeps) {
    this.#deps = deps;
    const read = () => void this.#read();
    this.#subscriptions = [
      deps.signals.subscribe('authorization-flows', { onWork: read, onGap: read }),
      deps.notices.subscribe(REFUSALS, (text) => this.#onNotice(text), read),
    ];
  }

  get size(): number {
    return this.#open.size;
  }

  /** Opens a channel. @param deliver called at most once */
  open(deliver: (frame: ClientFrame) => void): ClientChannel {
    const id = randomUUID();
    this.#open.set(id, deliver);
    this.#timer ??= setInterval(() => void this.#read(), POLL_MS).unref();
    return { id, [Symbol.dispose]: () => this.#close(id) };
  }

  /** Tells a client that its flow could not begin; nothing is stored for it. */
  async refuse(id: string, frame: ClientFrame): Promise<void> {
    if (this.#open.has(id)) return this.#deliver(id, frame);
    const { notices, db, log } = this.#deps;
    await notices.publish(db, REFUSALS, JSON.stringify({ id, frame })).catch((error: unknown) => {
      log.debug('the client of an existing frontend could not be notified of a refusal', { error });
    });
  }

  [Symbol.dispose](): void {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    clearInterval(this.#timer);
  }

  #onNotice(text: string): void {
    const { id, frame }: { id: string; frame: ClientFrame } = JSON.parse(text);
    this.#deliver(id, frame);
  }

  /** Reads the ended flows. There is one reader at a time; if flows change during a read, it reads again. */
  async #read(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isStale && this.#open.size > 0) {
        this.#isStale = false;
        const ended = await findEndedClientFlows(this.#deps.db, [...this.#open.keys()]);
        for (const { clientId, uniqueKey, outcome } of ended) this.#deliver(clientId, outcomeFrame(uniqueKey, outcome));
      }
    } catch (error) {
      this.#deps.log.debug('the flows of existing frontends could not be read', { error });
    } finally {
      this.#isReading = false;
    }
  }

  #deliver(id: string, frame: ClientFrame): void {
    const deliver = this.#open.get(id);
    this.#close(id);
    deliver?.(frame);
  }

  #close(id: string): void {
    this.#open.delete(id);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
