import type { CallOptions } from './caller.ts';
import type { ResponseBody } from './operation-types.ts';
import { Resource } from './resource.ts';

/** The service's built-in inbox for webhooks, in environments that are not for production. */
export class WebhookInbox extends Resource {
  /** Returns the latest 50 webhooks, newest first. */
  list(options: CallOptions = {}): Promise<ResponseBody<'listWebhookInbox'>> {
    return this.caller.call('listWebhookInbox', { ...options });
  }

  clear(options: CallOptions = {}): Promise<ResponseBody<'clearWebhookInbox'>> {
    return this.caller.call('clearWebhookInbox', { ...options });
  }
}
