import type { HookContext, JsonObject } from './context.ts';
import type { ProviderAccount } from './provider-account.ts';

/** Hooks that call the provider when a connection is created, verified or deleted. */
export interface ConnectionHooks {
  /**
   * Runs after each successful authorization or import, before the auth webhook is sent. Returned keys are merged into
   * `connection_config`. If it throws, the authorization fails.
   */
  afterAuthorization?(ctx: HookContext): Promise<JsonObject>;
  /**
   * Returns the account that the credentials belong to, after `afterAuthorization`; undefined if the provider does not say. Takes
   * precedence over `identity` of the definition. If it throws, the error is logged and the authorization continues.
   */
  identify?(ctx: HookContext): Promise<ProviderAccount | undefined>;
  /** Proves that the credentials work. Throw `PluginError('invalid_credentials', …)` when they do not. */
  verify?(ctx: HookContext): Promise<void>;
  /**
   * Revokes the authorization at the provider, as the last step of a deletion; replaces `revocation_url`. After
   * `provider_unavailable` it is called again for some minutes; after any other error the deletion continues.
   */
  revoke?(ctx: HookContext): Promise<void>;
  /** Cleans up at the provider before the connection is deleted. If it throws, the error is logged and the deletion continues. */
  beforeDeletion?(ctx: HookContext): Promise<void>;
}
