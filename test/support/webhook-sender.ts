import { setTimeout as wait } from 'node:timers/promises';
import { type Hook, hookSender } from './hooked.ts';
import { type Client, client } from './http-client.ts';

const RETRY_MS = 500;

interface Schedule {
  readonly count: number;
  readonly perSecond: number;
  /**
   * The time after which the sender gives up on a delivery. If it never did, every delivery would be accepted in the end, and no
   * loss would be noticed.
   */
  readonly giveUpAfterMs: number;
}

/** A provider that numbers its deliveries and repeats each until the service accepts it. */
export class WebhookSender {
  /** The numbers of the deliveries that the service accepted with 2xx. */
  readonly accepted = new Set<number>();
  /** The number of responses by status; 0 counts requests without a response, because the network connection broke. */
  readonly statuses = new Map<number, number>();
  /** The time at which a delivery was last accepted, by `performance.now`. */
  lastAcceptedAt = 0;
  readonly #api: Client;
  readonly #hook: Hook;

  constructor(url: string, hook: Hook) {
    this.#api = client(url);
    this.#hook = hook;
  }

  /**
   * Sends deliveries at an even rate, whether or not earlier ones were accepted. Resolves when the service has accepted each, or
   * the sender has given it up.
   */
  async send({ count, perSecond, giveUpAfterMs }: Schedule): Promise<void> {
    const startedAt = performance.now();
    const sent: Promise<void>[] = [];
    for (let number = 0; number < count; number += 1) {
      const aheadMs = startedAt + (number * 1_000) / perSecond - performance.now();
      if (aheadMs > 0) await wait(aheadMs);
      sent.push(this.#deliver(number, performance.now() + giveUpAfterMs));
    }
    await Promise.all(sent);
  }

  async #deliver(number: number, until: number): Promise<void> {
    while (performance.now() < until) {
      const status = await this.#try(number);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status >= 200 && status < 300) {
        this.accepted.add(number);
        this.lastAcceptedAt = performance.now();
        return;
      }
      await wait(RETRY_MS);
    }
  }

  async #try(number: number): Promise<number> {
    const headers = { 'x-hook-id': `delivery-${number}` };
    const response = await hookSender(this.#api, this.#hook)({ number }, { headers }).catch(() => undefined);
    return response?.status ?? 0;
  }
}
