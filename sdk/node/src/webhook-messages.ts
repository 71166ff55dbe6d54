import type { Caller, CallOptions } from './caller.ts';
import type { Answer, Body, Query } from './operation-types.ts';

/** A message without its payload. */
export type ListedWebhookMessage = Answer<'listWebhookMessages'>['data'][number];
/** A message with its payload and its attempts. */
export type WebhookMessage = Answer<'getWebhookMessage'>['data'];

type ListQuery = Query<'listWebhookMessages'>;

/** What the service tells your application, sent until it arrives. */
export class WebhookMessages {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** One page, newest first, without payloads. */
  list(query: ListQuery = {}, options: CallOptions = {}): Promise<Answer<'listWebhookMessages'>> {
    return this.#caller.call('listWebhookMessages', { query, ...options });
  }

  /** All that match, page after page; what is made meanwhile is not among them. @param query `limit` is the size of a page */
  async *listAll(
    query: Omit<ListQuery, 'cursor' | 'page'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<ListedWebhookMessage> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: Answer<'listWebhookMessages'> = await this.list({ ...query, ...(cursor !== undefined && { cursor }) }, options);
      yield* page.data;
      cursor = page.next_cursor;
    }
  }

  /** @param id what the header `webhook-id` carried */
  get(id: string, options: CallOptions = {}): Promise<Answer<'getWebhookMessage'>> {
    return this.#caller.call('getWebhookMessage', { path: { id }, ...options });
  }

  /** Sends a message again, under the same ID; ends a pause of its target. */
  replay(id: string, options: CallOptions = {}): Promise<Answer<'replayWebhookMessage'>> {
    return this.#caller.call('replayWebhookMessage', { path: { id }, ...options });
  }

  /** Sends the oldest again that match, 10,000 at most. @param filter as `list` takes it; without any member all of them */
  replayAll(
    filter: NonNullable<Body<'replayWebhookMessages'>>,
    options: CallOptions = {},
  ): Promise<Answer<'replayWebhookMessages'>> {
    return this.#caller.call('replayWebhookMessages', { body: filter, ...options });
  }

  /** Sends a message as if something had happened, to see it arrive; marked by the header `svc-webhook-test`. */
  sendTest(type: Body<'sendTestWebhookMessage'>['type'], options: CallOptions = {}): Promise<Answer<'sendTestWebhookMessage'>> {
    return this.#caller.call('sendTestWebhookMessage', { body: { type }, ...options });
  }
}
