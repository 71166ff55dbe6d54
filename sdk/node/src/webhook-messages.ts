import type { CallOptions } from './caller.ts';
import type { Body, Query, ResponseBody } from './operation-types.ts';
import { Resource } from './resource.ts';

/** A webhook without its payload. */
export type ListedWebhookMessage = ResponseBody<'listWebhookMessages'>['data'][number];
/** A webhook with its payload and its attempts. */
export type WebhookMessage = ResponseBody<'getWebhookMessage'>['data'];

type ListQuery = Query<'listWebhookMessages'>;

/** Webhooks from the service to your application. */
export class WebhookMessages extends Resource {
  /** Returns one page of webhooks, newest first, without payloads. */
  list(query: ListQuery = {}, options: CallOptions = {}): Promise<ResponseBody<'listWebhookMessages'>> {
    return this.caller.call('listWebhookMessages', { query, ...options });
  }

  /**
   * Yields all matching webhooks, page by page, except those that are created while it runs.
   *
   * @param query `limit` is the page size
   */
  async *listAll(
    query: Omit<ListQuery, 'cursor' | 'page'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<ListedWebhookMessage> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: ResponseBody<'listWebhookMessages'> = await this.list(
        { ...query, ...(cursor !== undefined && { cursor }) },
        options,
      );
      yield* page.data;
      cursor = page.next_cursor;
    }
  }

  /** @param id the `webhook-id` header */
  get(id: string, options: CallOptions = {}): Promise<ResponseBody<'getWebhookMessage'>> {
    return this.caller.call('getWebhookMessage', { path: { id }, ...options });
  }

  /** Sends a webhook again with the same ID. If its target is paused, this ends the pause. */
  replay(id: string, options: CallOptions = {}): Promise<ResponseBody<'replayWebhookMessage'>> {
    return this.caller.call('replayWebhookMessage', { path: { id }, ...options });
  }

  /** Replays the oldest matching webhooks, at most 10,000. @param filter as for `list`; an empty filter matches all */
  replayAll(
    filter: NonNullable<Body<'replayWebhookMessages'>>,
    options: CallOptions = {},
  ): Promise<ResponseBody<'replayWebhookMessages'>> {
    return this.caller.call('replayWebhookMessages', { body: filter, ...options });
  }

  /** Sends a test webhook, marked by the header `svc-webhook-test`. */
  sendTest(
    type: Body<'sendTestWebhookMessage'>['type'],
    options: CallOptions = {},
  ): Promise<ResponseBody<'sendTestWebhookMessage'>> {
    return this.caller.call('sendTestWebhookMessage', { body: { type }, ...options });
  }
}
