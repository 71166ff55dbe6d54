import type { HookContext, JsonObject } from './context.ts';

/** The address to which the provider should deliver a connection's webhooks, and the secret with which it should sign them. */
export interface SubscriptionTarget {
  readonly url: string;
  /** The integration's webhook secret. */
  readonly secret: string | undefined;
}

/**
 * Functions for webhooks that are registered at the provider for each connection. Core calls them after creation, on schedule
 * and before deletion. Their results replace the connection's `subscription`, which nothing else reads or changes
 * (`HookContext.subscription`): at most 16 KB as JSON; `{}` says that nothing is registered.
 */
export interface SubscriptionRules {
  /**
   * Registers the webhooks. Called after creation, and after a later authorization of a connection that has nothing registered.
   * Runs at least once: a call that a crash has cut off is repeated. After `provider_unavailable` or a bug core tries again,
   * with growing pauses; other errors need the user.
   */
  subscribe?(ctx: HookContext, target: SubscriptionTarget): Promise<JsonObject>;
  /**
   * Renews registrations that expire. The result `{}` means that the provider has lost it: core subscribes anew. After a
   * failure it runs again the next day.
   */
  readonly renew?: { readonly everyDays: number; run(ctx: HookContext): Promise<JsonObject> };
  /** Removes the registration. Not called when nothing is registered. A throw is logged; the deletion goes on. */
  unsubscribe?(ctx: HookContext): Promise<void>;
}
