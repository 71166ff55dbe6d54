import type { HookContext, JsonObject } from './context.ts';
import type { TokenRefusal, TokenSet } from './credentials.ts';

/** The input of `authorizationParams`. */
export interface AuthorizationInput {
  readonly scopes: readonly string[];
  readonly connectionConfig: JsonObject;
}

/** Deviations from the auth mode named in provider.json. Omit what the standard or provider.json already defines. */
export interface AuthRules {
  /** Query parameters that are added to the authorization URL, or replaced in it. */
  authorizationParams?(input: AuthorizationInput): Readonly<Record<string, string>>;
  /** Parses a token response that differs from RFC 6749 §5.1. Throw `PluginError` if it has no token. */
  readTokens?(body: JsonObject, now: Date): TokenSet;
  /** Replaces the mode's own refresh. */
  refresh?(ctx: HookContext): Promise<TokenSet>;
  /**
   * True: the user must authorize again. False: retry later. Default: `invalid_grant`, `bad_refresh_token` and, with status 400,
   * `invalid_token`, case-insensitive. Codes in `revoked_codes` take precedence.
   */
  isRevoked?(refusal: TokenRefusal): boolean;
}
