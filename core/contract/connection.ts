import type { HookContext, JsonObject } from './context.ts';
import type { ProviderAccount } from './provider-account.ts';

/** What happens at the provider when a connection comes, is checked, or goes. */
export interface ConnectionHooks {
  /**
   * Runs after each successful authorization or import, before the auth webhook is sent.
   * Returned keys are merged into `connection_config`. A throw fails the authorization.
   */
  afterAuthorization?(ctx: HookContext): Promise<JsonObject>;
  /**
   * Says whose account it is, after `afterAuthorization`; undefined if the provider does not say. Takes precedence over `identity`
   * of the definition. A throw is logged; the authorization goes on.
   */
  identify?(ctx: HookContext): Promise<ProviderAccount | undefined>;
  /** Proves that the credentials work. Throw `PluginError('invalid_credentials', …)` when they do not. */
  verify?(ctx: HookContext): Promise<void>;
  /**
   * Ends the authorization at the provider, last of all; replaces `revocation_url`. After `provider_unavailable` it is called again
   * for some minutes; the deletion goes on after any other error.
   */
  revoke?(ctx: HookContext): Promise<void>;
  /** Cleans up at the provider. A throw is logged; the deletion goes on. */
  beforeDeletion?(ctx: HookContext): Promise<void>;
}
