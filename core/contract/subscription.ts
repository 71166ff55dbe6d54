import type { HookContext, JsonObject } from './context.ts';

/** Where the provider should deliver a connection's webhooks, and what it should sign them with. */
export interface SubscriptionTarget {
  readonly url: string;
  /** The integration's webhook secret. */
  readonly secret: string | undefined;
}

/**
 * Webhooks registered at the provider for each connection. Core calls these after creation, on schedule and before deletion.
 * What they return replaces the connection's `subscription`, which nothing else reads or changes (`HookContext.subscription`).
 */
export interface SubscriptionRules {
  subscribe?(ctx: HookContext, target: SubscriptionTarget): Promise<JsonObject>;
  /** For registrations that expire. */
  readonly renew?: { readonly everyDays: number; run(ctx: HookContext): Promise<JsonObject> };
  /** A throw is logged; the deletion goes on. */
  unsubscribe?(ctx: HookContext): Promise<void>;
}
