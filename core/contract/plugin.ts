import type { AuthRules } from './auth.ts';
import type { ConnectionHooks } from './connection.ts';
import type { ProxyRules } from './proxy.ts';
import type { SubscriptionRules } from './subscription.ts';
import type { ProviderFacts, WebhookRules } from './webhook.ts';

/**
 * The default export of `plugins/<name>/plugin.ts`. The plugin's name is that of the folder and occurs nowhere else. Every part
 * is optional: `{ contract: 1 }` is a plugin.
 */
export interface ProviderPlugin {
  /**
   * Version of the contract. The loader refuses a number that it does not know. It is raised only for changes that break a
   * plugin.
   */
  readonly contract: 1;
  readonly auth?: AuthRules;
  readonly connection?: ConnectionHooks;
  /** Rules of webhooks; a function if one plugin serves several providers that differ only in names. */
  readonly webhook?: WebhookRules | ((provider: ProviderFacts) => WebhookRules);
  readonly proxy?: ProxyRules;
  readonly subscriptions?: SubscriptionRules;
}
