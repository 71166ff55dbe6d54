import type { HookContext, JsonObject } from './context.ts';

/** Where the provider should deliver a connection's webhooks, and what it should sign them with. */
export interface SubscriptionTarget {
  readonly url: string;
  /** The integration's webhook secret. */
  readonly secret: string | undefined;
}

/**
 * Webhooks registered at the provider for each connection. Core calls these after creation, on schedule and before deletion.
 * What they return replaces the connection's `subscription`, which nothing else reads or changes (`HookContext.subscription`):
 * at most 16 KB as JSON; `{}` says that nothing is registered.
 */
export interface SubscriptionRules {
  /**
   * After creation, and after a later authorization of a connection that has nothing registered. At least once: what a crash cut
   * off is made again. After `provider_unavailable` or a bug core tries again, with growing pauses; other errors need the user.
   */
  subscribe?(ctx: HookContext, target: SubscriptionTarget): Promise<JsonObject>;
  /** For registrations that expire. `{}`: the provider has lost it; core subscribes anew. After a failure again the next day. */
  readonly renew?: { readonly everyDays: number; run(ctx: HookContext): Promise<JsonObject> };
  /** Not called where nothing is registered. A throw is logged; the deletion goes on. */
  unsubscribe?(ctx: HookContext): Promise<void>;
}
