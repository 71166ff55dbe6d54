import type { HookContext, JsonObject } from './context.ts';
import type { ProviderAccount } from './provider-account.ts';

/** Hooks that act at the provider when a connection is created, verified or deleted. */
export interface ConnectionHooks {
  /**
   * Runs after each successful authorization or import, before the auth webhook is sent.
   * Returned keys are merged into `connection_config`. A throw fails the authorization.
   */
  afterAuthorization?(ctx: HookContext): Promise<JsonObject>;
  /**
   * Returns the account that the credentials belong to, after `afterAuthorization`; undefined if the provider does not say.
   * Takes precedence over `identity` of the definition. A throw is logged; the authorization goes on.
   */
  identify?(ctx: HookContext): Promise<ProviderAccount | undefined>;
  /** Proves that the credentials work. Throw `PluginError('invalid_credentials', …)` when they do not. */
  verify?(ctx: HookContext): Promise<void>;
  /**
   * Revokes the authorization at the provider, as the last step of a deletion; replaces `revocation_url`. After
   * `provider_unavailable` it is called again for some minutes; the deletion goes on after any other error.
   */
  revoke?(ctx: HookContext): Promise<void>;
  /** Cleans up at the provider before the connection is deleted. A throw is logged; the deletion goes on. */
  beforeDeletion?(ctx: HookContext): Promise<void>;
}
