import type { Knex } from 'knex';
import { type MessageDeps, type NewMessage, sendMessages } from '../webhook-delivery/messages.ts';

const MAX_MESSAGES = 500;
const MAX_BYTES = 1024 * 1024;

/** Messages of one transaction, written many at a time and never more than fit into the memory. */
export class MessageBatch {
  readonly #deps: MessageDeps;
  readonly #trx: Knex.Transaction;
  #messages: NewMessage[] = [];
  #bytes = 0;

  constructor(deps: MessageDeps, trx: Knex.Transaction) {
    this.#deps = deps;
    this.#trx = trx;
  }

  /** @param bytes about how many it takes */
  async add(message: NewMessage, bytes: number): Promise<void> {
    this.#messages.push(message);
    this.#bytes += bytes;
    if (this.#messages.length >= MAX_MESSAGES || this.#bytes >= MAX_BYTES) await this.send();
  }

  /** Writes those that are left. */
  async send(): Promise<void> {
    const messages = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    if (messages.length > 0) await sendMessages(this.#deps, this.#trx, messages);
  }
}
