import type { HookContext, JsonObject } from './context.ts';
import type { TokenRefusal, TokenSet } from './credentials.ts';

/** What an authorization URL may depend on. */
export interface AuthorizationInput {
  readonly scopes: readonly string[];
  readonly connectionConfig: JsonObject;
}

/** Deviations from the auth mode named in provider.json. Omit what the standard (or provider.json) already says. */
export interface AuthRules {
  /** Query parameters to add to, or replace in, the authorization URL. */
  authorizationParams?(input: AuthorizationInput): Readonly<Record<string, string>>;
  /** Reads a token answer that is not RFC 6749 §5.1. Throw `PluginError` when it holds no token. */
  readTokens?(answer: JsonObject, now: Date): TokenSet;
  /** Replaces the mode's own refresh. */
  refresh?(ctx: HookContext): Promise<TokenSet>;
  /**
   * True: the user must authorize again. False: try later. Default: `invalid_grant`, `bad_refresh_token` and, with status 400,
   * `invalid_token`, in any letter case. Codes of `revoked_codes` count whatever this says.
   */
  isRevoked?(refusal: TokenRefusal): boolean;
}
