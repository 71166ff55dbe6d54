import type * as z from 'zod';
import type { AuthRules, JsonObject, ModeRules, ProviderDefinition, TokenSet } from '#contract';
import type { Outbound } from '../kit/outbound.ts';
import type { StoredCredentials } from './stored-credentials.ts';

export type { StoredCredentials } from './stored-credentials.ts';

/**
 * What an integration says about its app at the provider. Secrets included: never leaves the process but to the token
 * endpoint.
 */
export interface ClientSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** In the order given by the integration. */
  readonly scopes: readonly string[];
  /** Of apps that are installed; where they are not given, client ID and secret stand for them. */
  readonly appId?: string;
  readonly privateKey?: string;
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
  /** How long a call of the token endpoint may take. Default 20,000. */
  readonly tokenCallMs?: number;
}

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
  /** Of the connection that is authorized again. */
  readonly previous?: StoredCredentials | undefined;
}

export interface Completed<S extends StoredCredentials = StoredCredentials> {
  readonly credentials: S;
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

/** The authorization response is not from the server that was asked (RFC 9207): neither code nor verifier goes anywhere. */
export class ForeignResponse extends TokenFailure {}

/** What a signature may rest on beside the credentials. */
export type SigningInput = Pick<ModeInput, 'definition' | 'client' | 'connectionConfig'>;

/** A request about to be sent, as far as a signature may cover it. */
export interface SignedRequest {
  readonly method: string;
  readonly origin: string;
  /** With the query, as in the request line. */
  readonly path: string;
  /** The body, when it is `application/x-www-form-urlencoded`. */
  readonly form?: string;
  readonly at: Date;
}

export type RequestSigner = (request: SignedRequest) => Readonly<Record<string, string>>;

/** When tokens came that take the place of others. */
export interface Renewed<S> {
  readonly receivedAt: Date;
  readonly previous: S;
}

/** Without the time at which they came. */
export type Unstamped<S extends StoredCredentials = StoredCredentials> = Omit<S, 'receivedAt'>;

/** Credentials as the API takes them, and how they are stored. */
export interface CredentialInput<S extends Unstamped = Unstamped, Z extends z.ZodObject = z.ZodObject> {
  /** Their members beside `type`; no other is accepted. */
  readonly members: Z;
  store(given: z.output<Z>): S;
}

/** How a field of a form is shown; the definition's `credentials` may say more. */
interface FieldLook {
  readonly title: string;
  readonly secret?: true;
  /** The spaces around it belong to it. */
  readonly verbatim?: true;
}

/** Credentials that a user types in: the endpoint that takes them, and the fields of the connect page. */
export interface CredentialForm<S extends Unstamped = Unstamped> extends CredentialInput<S> {
  /** Of the endpoint, without the integration's key at its end. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly example?: JsonObject;
  readonly fields: Readonly<Record<string, FieldLook>>;
  /** What the connect page sends for fields that were left empty. */
  readonly empty?: JsonObject;
  /** @throws ServiceError for what the integration lacks */
  check?(given: Readonly<Record<string, unknown>>, input: ModeInput): void;
}

/** What an app of an integration consists of, as the API names it. */
export type AppMember = 'client_id' | 'client_secret' | 'scopes' | 'app_id' | 'app_link' | 'private_key';

/** How connections are authorized: everything that the service knows of it. `README.md` says how to add one. */
export interface AuthMode<S extends StoredCredentials = StoredCredentials> extends ModeRules {
  /** What `auth_mode` of a definition and `type` of credentials say. */
  readonly name: S['type'];
  /** What an integration's app has. Absent: users bring everything themselves. */
  readonly app?: readonly AppMember[];
  /** Users allow access to an app, which an operator can share. */
  readonly hasShareableApp?: true;
  /** Only a call to the provider's API shows whether they work: made when they are imported, and at least once a day. */
  readonly isProvenByCall?: true;
  /** What `present` returns, for the API's description. */
  readonly presented: z.ZodObject;
  /** Credentials that exist already. Absent: they cannot be imported. */
  readonly imported?: CredentialInput<Unstamped<S>>;
  /** Credentials that a user types in. Absent: users have none. */
  readonly form?: CredentialForm<Unstamped<S>>;

  /** Stored → the `credentials` member of a connection, dates as ISO 8601. Refresh tokens only when asked for. */
  present(stored: S, options: { readonly withRefreshToken: boolean }): JsonObject;
  /** When the credentials stop working, and whether they can be renewed without the user. */
  validity(stored: S): { readonly expiresAt?: Date; readonly receivedAt: Date; readonly refreshable: boolean };
  /** Default credential headers, the same for each request; templates in the provider's `proxy.headers` come on top. */
  sign(stored: S, input: SigningInput): Readonly<Record<string, string>>;
  /** Modes whose signature covers the request: what is the same for each is worked out once. */
  signer?(stored: S, input: SigningInput): RequestSigner;
  /** Values for `${accessToken}` and `${credentials.x}` in the provider's templates. */
  templateValues(stored: S): Readonly<Record<string, string>>;

  /** Redirect modes: where to send the browser. @throws ServiceError for missing settings, before anything is stored */
  begin?(input: ModeInput, flow: FlowStart): Redirect;
  /** Redirect modes: the browser is back with `query`. @throws TokenFailure */
  complete?(deps: ModeDeps, input: ModeInput, end: FlowEnd): Promise<Completed<S>>;
  /**
   * Completes imported or typed credentials before they are stored. @throws ServiceError `missing_client_id`,
   * `connection_test_failed` when the provider refuses them, `provider_unavailable`
   */
  prepare?(deps: ModeDeps, input: ModeInput, stored: S): Promise<S>;
  /** One call of the token endpoint. @throws TokenFailure */
  refresh?(deps: ModeDeps, input: ModeInput, stored: S): Promise<S>;
  /** What a plugin's own refresh brought, in stored form. @throws TokenFailure for tokens that cannot be any */
  adopt?(input: Pick<ModeInput, 'definition'>, tokens: TokenSet, received: Renewed<S>): S;
}
