import type { AuthContext, JsonObject, RefreshContext } from './context.ts';
import type { TokenRefusal, TokenSet } from './credentials.ts';

/** The input of `authorizationParams`. */
export interface AuthorizationInput {
  readonly scopes: readonly string[];
  readonly connectionConfig: JsonObject;
}

/** The authorization code that a callback brought (RFC 6749 §4.1.2), and the values that its exchange needs. */
export interface CodeGrant {
  /** The authorization code, which is valid once. */
  readonly code: string;
  /** The redirect URI of the authorization request, which the exchange must repeat. */
  readonly redirectUri: string;
  /** The verifier of PKCE (RFC 7636); absent with `disable_pkce`. */
  readonly verifier?: string;
}

/** Deviations from the auth mode named in provider.json. Omit what the standard or provider.json already defines. */
export interface AuthRules {
  /** Query parameters that are added to the authorization URL, or replaced in it. */
  authorizationParams?(input: AuthorizationInput): Readonly<Record<string, string>>;
  /** Parses a token response that differs from RFC 6749 §5.1. Throw `PluginError` if it has no token. */
  readTokens?(body: JsonObject, now: Date): TokenSet;
  /**
   * OAUTH2: replaces the mode's exchange of the code, for providers that need more than one call. Runs after state, issuer and
   * error of the callback were checked. If it throws, the authorization fails.
   */
  exchange?(ctx: AuthContext, grant: CodeGrant): Promise<TokenSet>;
  /**
   * API_KEY, BASIC and TWO_STEP: exchanges what the user entered for the credentials to store, before anything is verified or
   * stored. With API_KEY and BASIC, the access token becomes the key or the password. TWO_STEP stores it beside what was entered,
   * and calls this again when it expires, unless there is `refresh`. The message of a `PluginError` is for the user. Not called
   * for imported credentials.
   */
  authenticate?(ctx: AuthContext, form: Readonly<Record<string, string>>): Promise<TokenSet>;
  /** Replaces the mode's own refresh. */
  refresh?(ctx: RefreshContext): Promise<TokenSet>;
  /**
   * Returns whether `refresh` can refresh these tokens. Default: true if there is a refresh token. Meant for providers that
   * refresh an access token by means of that token itself. Called once for each token set, when it is received or imported.
   */
  refreshable?(tokens: TokenSet): boolean;
  /**
   * Returns true if the user must authorize again, false if the refresh is to be retried later. Default: true for
   * `invalid_grant`, `bad_refresh_token` and, with status 400, `invalid_token`, compared case-insensitively. Codes in
   * `revoked_codes` take precedence.
   */
  isRevoked?(refusal: TokenRefusal): boolean;
}
