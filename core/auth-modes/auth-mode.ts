import type { AuthRules, JsonObject, ProviderDefinition, TokenSet } from '#contract';
import type { Outbound } from '../kit/outbound.ts';

/**
 * What an integration says about its app at the provider. Secrets included: never leaves the process but to the token
 * endpoint.
 */
export interface ClientSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** In the order given by the integration. */
  readonly scopes: readonly string[];
}

/** Everything a mode may look at when it talks to a provider about one connection. */
export interface ModeInput {
  readonly provider: string;
  readonly definition: ProviderDefinition;
  readonly client: ClientSettings;
  readonly integrationConfig: JsonObject;
  readonly connectionConfig: JsonObject;
  /** The plugin's deviations. `refresh` is not the mode's to call: it needs a hook's context, which the caller has. */
  readonly rules?: AuthRules | undefined;
}

/** What a mode needs of the process. `now` is the database's time during a refresh, so that skewed instances agree on expiry. */
export interface ModeDeps {
  readonly outbound: Outbound;
  readonly now: () => Date;
}

/** Stored encrypted, as JSON: dates are ISO 8601 strings. `type` says which mode wrote it. */
export interface StoredOAuth2 {
  readonly type: 'OAUTH2';
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt?: string;
  /** When the provider's answer arrived; with `expiresAt` this gives the token's lifetime. */
  readonly receivedAt: string;
  /** The provider's answer, untouched. */
  readonly raw: JsonObject;
  /** An app of the connection's own (`config_override` of an import). */
  readonly configOverride?: { readonly clientId?: string; readonly clientSecret?: string };
}

/** A union: each mode adds its own shape. */
export type StoredCredentials = StoredOAuth2;

/** How a redirect flow begins. The secrets are kept, encrypted, in the flow row until the user is back. */
export interface Redirect {
  readonly url: string;
  readonly secrets: JsonObject;
}

export interface FlowStart {
  readonly state: string;
  /** The exchange repeats this very string (RFC 6749 §4.1.3), so it is kept in the flow's secrets. */
  readonly redirectUri: string;
  /** Fixed by the application's backend for this session. */
  readonly authorizationParams: Readonly<Record<string, string>>;
}

/** The browser as it comes back: the callback's query and what `begin` asked to keep. */
export interface FlowEnd {
  readonly query: Readonly<Record<string, string>>;
  readonly secrets: JsonObject;
}

export interface Completed {
  readonly credentials: StoredCredentials;
  /**
   * Members of the callback's query or the token answer that the definition wants kept (`redirect_uri_metadata`,
   * `token_response_metadata`).
   */
  readonly connectionConfig: JsonObject;
}

/**
 * How a call to a token endpoint ended when it brought no token. `refused`: the provider answered that this grant is over, the
 * user is needed (RFC 6749 §5.2 `invalid_grant` and its kin). `unknown`: no complete answer came, the token may have been
 * spent. `transient`: the provider answered that it cannot now. `malformed`: an answer that is no token answer.
 */
export type TokenFailureKind = 'refused' | 'transient' | 'unknown' | 'malformed';

export class TokenFailure extends Error {
  override readonly name = 'TokenFailure';
  readonly kind: TokenFailureKind;
  /** HTTP status, 0 when none arrived. */
  readonly status: number;
  /**
   * The provider's `error` member, when it is a plain code of letters, digits and underscores. Never free text: providers echo
   * secrets.
   */
  readonly providerCode: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: TokenFailureKind,
    message: string,
    facts: { status?: number; providerCode?: string | undefined; retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: facts.cause });
    this.kind = kind;
    this.status = facts.status ?? 0;
    this.providerCode = facts.providerCode;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** What the proxy adds to a request so that the provider knows whose it is. */
interface RequestSignature {
  readonly headers: Readonly<Record<string, string>>;
}

/** One way to be authorized at a provider. Adding one is one file and one line in `index.ts`. */
export interface AuthMode {
  readonly name: StoredCredentials['type'];
  /** Stored → the `credentials` member of a connection, snake_case, dates as ISO 8601. Refresh tokens only when asked for. */
  present(stored: StoredCredentials, options: { readonly withRefreshToken: boolean }): JsonObject;
  /** When the credentials stop working, and whether they can be renewed without the user. */
  validity(stored: StoredCredentials): { readonly expiresAt?: Date; readonly receivedAt: Date; readonly refreshable: boolean };
  /** Default credential headers; templates in the provider's `proxy.headers` come on top. */
  sign(stored: StoredCredentials): RequestSignature;
  /** Values for `${accessToken}` and `${credentials.x}` in the provider's templates. */
  templateValues(stored: StoredCredentials): Readonly<Record<string, string>>;
  /** Redirect modes: where to send the browser. @throws ServiceError for missing settings, before anything is stored */
  begin?(input: ModeInput, flow: FlowStart): Redirect;
  /** Redirect modes: the browser is back with `query`. @throws TokenFailure */
  complete?(deps: ModeDeps, input: ModeInput, end: FlowEnd): Promise<Completed>;
  /** One call of the token endpoint, bounded below the lease of a refresh. @throws TokenFailure */
  refresh?(deps: ModeDeps, input: ModeInput, stored: StoredCredentials): Promise<StoredCredentials>;
  /** What a plugin's own refresh brought, in stored form. @throws TokenFailure for tokens that cannot be any */
  adopt?(tokens: TokenSet, receivedAt: Date, previous: StoredCredentials): StoredCredentials;
}
