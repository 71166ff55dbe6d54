import type { AuthRules } from './auth.ts';
import type { ConnectionHooks } from './connection.ts';
import type { ProxyRules } from './proxy.ts';
import type { SubscriptionRules } from './subscription.ts';
import type { ProviderFacts, WebhookRules } from './webhook.ts';

/**
 * What `plugins/<name>/plugin.ts` exports as `default`.
 * The folder's name is the plugin's name; it stands nowhere else. Every part is optional: `{ contract: 1 }` is a plugin.
 */
export interface ProviderPlugin {
  /** The loader refuses a number it does not know. Raised only for changes that break a plugin. */
  readonly contract: 1;
  readonly auth?: AuthRules;
  readonly connection?: ConnectionHooks;
  /** A function where one plugin serves several providers that differ in names only. */
  readonly webhook?: WebhookRules | ((provider: ProviderFacts) => WebhookRules);
  readonly proxy?: ProxyRules;
  readonly subscriptions?: SubscriptionRules;
}
