import type { HookContext, JsonObject } from './context.ts';

/** The address to which the provider should deliver a connection's webhooks, and the secret with which it should sign them. */
export interface SubscriptionTarget {
  readonly url: string;
  /** The integration's webhook secret. */
  readonly secret: string | undefined;
}

/**
 * Functions for webhooks that are registered at the provider for each connection. Core calls them after a connection is created,
 * on a schedule and before it is deleted. Their results replace the connection's `subscription`, which nothing else changes and
 * which only these hooks read (`HookContext.subscription`): at most 16 KB as JSON; `{}` means that nothing is registered.
 */
export interface SubscriptionRules {
  /**
   * Registers the webhooks. Called after creation, and after a later authorization of a connection that has nothing registered.
   * May run more than once, since a call that a crash interrupted is repeated. After `provider_unavailable` or a bug core tries
   * again, with growing pauses; after other errors the user has to act.
   */
  subscribe?(ctx: HookContext, target: SubscriptionTarget): Promise<JsonObject>;
  /**
   * Renews registrations that expire. The result `{}` means that the provider has lost the registration, so that core calls
   * `subscribe` again. After a failure the renewal is tried again the next day.
   */
  readonly renew?: { readonly everyDays: number; run(ctx: HookContext): Promise<JsonObject> };
  /**
   * Removes the registration. Not called when nothing is registered. If it throws, the error is logged and the deletion
   * continues.
   */
  unsubscribe?(ctx: HookContext): Promise<void>;
}
