import type { Knex } from 'knex';
import type { WebhookDeliveryDeps } from '../webhook-delivery/deps.ts';
import { type NewMessage, sendMessages } from '../webhook-delivery/messages.ts';

const MAX_MESSAGES = 500;
const MAX_CHARACTERS = 1024 * 1024;

/** Messages of one transaction, written many at a time and never more than fit into the memory. */
export class MessageBatch {
  readonly #deps: Pick<WebhookDeliveryDeps, 'keys' | 'signals'>;
  readonly #trx: Knex.Transaction;
  #messages: NewMessage[] = [];
  /** Of payloads that are to be written with them. */
  #characters = 0;

  constructor(deps: Pick<WebhookDeliveryDeps, 'keys' | 'signals'>, trx: Knex.Transaction) {
    this.#deps = deps;
    this.#trx = trx;
  }

  async add(message: NewMessage): Promise<void> {
    const { payload } = message;
    this.#messages.push(message);
    if (payload !== undefined && payload.reference === undefined) this.#characters += payload.text.length;
    if (this.#messages.length >= MAX_MESSAGES || this.#characters >= MAX_CHARACTERS) await this.send();
  }

  /** Writes those that are left. */
  async send(): Promise<void> {
    const messages = this.#messages;
    this.#messages = [];
    this.#characters = 0;
    if (messages.length > 0) await sendMessages(this.#deps, this.#trx, messages);
  }
}
