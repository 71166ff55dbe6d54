import type * as z from 'zod';
import type { AuthRules, CodeGrant, JsonObject, ModeRules, ProviderDefinition, TokenSet } from '#contract';
import type { ClientCertificate } from '../kit/client-certificate.ts';
import type { Outbound } from '../kit/outbound.ts';
import type { ConfigOverride, StoredCredentials } from './building-blocks/stored-credentials.ts';

export type { ConfigOverride, StoredCredentials } from './building-blocks/stored-credentials.ts';

/** An integration's app at the provider, with its secrets: sent to nothing but the token endpoint. */
export interface ClientSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** In the order given by the integration. */
  readonly scopes: readonly string[];
  /** The secret and private key before these, for when the provider refuses the new ones: until this time (ISO 8601). */
  readonly previousSecret?: { readonly secret: string; readonly privateKey?: string; readonly until: string };
  /** Of apps that users install; default to client ID and secret. */
  readonly appId?: string;
  readonly privateKey?: string;
  /** The page from which the app is installed. */
  readonly appLink?: string;
  /** PEM, of the private key: for assertions (`private_key_jwt`), else presented on every connection (RFC 8705). */
  readonly certificate?: string;
}

/** The input for a call to a provider for one connection. */
export interface ModeInput {
  readonly provider: string;
  readonly definition: ProviderDefinition;
  readonly client: ClientSettings;
  readonly integrationConfig: JsonObject;
  readonly connectionConfig: JsonObject;
  /** Of a provider that this process plays: who calls it. See `Outbound.inside`. */
  readonly inside?: string | undefined;
  /** The plugin's deviations. Modes do not call its hooks, which need a context: the caller does. */
  readonly rules?: AuthRules | undefined;
}

/** During a refresh `now` is the database's time, so that instances with different clocks agree on expiry. */
export interface ModeDeps {
  readonly outbound: Outbound;
  readonly now: () => Date;
  /** Timeout of a token request. Default 20,000. */
  readonly tokenCallMs?: number;
}

/** The start of a redirect flow. The secrets are kept, encrypted, in the flow row until the callback. */
export interface Redirect {
  readonly url: string;
  readonly secrets: JsonObject;
}

export interface FlowStart {
  readonly state: string;
  /** The exchange must repeat this exact string (RFC 6749 §4.1.3), so it is kept in the flow's secrets. */
  readonly redirectUri: string;
  /** Set by the application's backend for this session. */
  readonly authorizationParams: Readonly<Record<string, string>>;
  /** Where the integration describes itself as a client, if its mode has a `clientDocument`; no other has the same. */
  readonly clientDocumentUrl?: string;
}

/** The callback: its query and the secrets of `begin`. */
export interface FlowEnd {
  readonly query: Readonly<Record<string, string>>;
  readonly secrets: JsonObject;
  /** The stored credentials, if the connection is reauthorized. */
  readonly previous?: StoredCredentials | undefined;
  /** The exchange of the provider's plugin, in place of the mode's. @throws ServiceError */
  readonly exchangeCode?: CodeExchange | undefined;
}

/** @param connectionConfig with what the callback brought */
export type CodeExchange = (grant: CodeGrant, connectionConfig: JsonObject) => Promise<TokenSet>;

export interface Completed<S extends StoredCredentials = StoredCredentials> {
  readonly credentials: S;
  /**
   * Fields of the callback's query or the token response that the definition keeps (`redirect_uri_metadata`,
   * `token_response_metadata`).
   */
  readonly connectionConfig: JsonObject;
}

/**
 * Why a token request returned no token. `refused`: the grant has ended and the user must authorize again (RFC 6749 §5.2
 * `invalid_grant` and similar). `unknown`: no complete response, the refresh token may have been used up. `transient`: the
 * provider cannot do it now. `malformed`: not a valid token response.
 */
export type TokenFailureKind = 'refused' | 'transient' | 'unknown' | 'malformed';

export class TokenFailure extends Error {
  override readonly name = 'TokenFailure';
  readonly kind: TokenFailureKind;
  /** HTTP status, 0 when none arrived. */
  readonly status: number;
  /** The provider's `error`, if it is a known code. Never free text: providers echo secrets. */
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

  /** In one line, with the provider's code if there is one: that is what people search for. */
  get summary(): string {
    return this.providerCode === undefined ? this.message : `${this.providerCode} from the provider`;
  }
}

/** The authorization response is not from the expected server (RFC 9207): neither code nor verifier is sent anywhere. */
export class ForeignResponse extends TokenFailure {}

/**
 * The callback of an installation that connects nothing. `requested`: an owner has to approve it first. `foreign`: it is not one
 * of this app, or not one of this user.
 */
export class InstallationRefused extends TokenFailure {
  readonly reason: 'requested' | 'foreign';

  constructor(reason: InstallationRefused['reason'], message: string, cause?: unknown) {
    super('refused', message, { cause });
    this.reason = reason;
  }
}

/** The input of a signature besides the credentials; the client is the one that authorized the connection. */
export type SigningInput = Pick<ModeInput, 'definition' | 'client' | 'connectionConfig' | 'integrationConfig'>;

/** The parts of a request that a signature may cover. */
export interface SignedRequest {
  readonly method: string;
  readonly origin: string;
  /** With the query, as in the request line. */
  readonly path: string;
  /** `[name in lower case, value]`, without those of the credentials. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The body, when it is `application/x-www-form-urlencoded`. */
  readonly form?: string;
  /** The body, if the mode `signsBody`. */
  readonly body?: Buffer;
  readonly at: Date;
}

export type RequestSigner = (request: SignedRequest) => Readonly<Record<string, string>>;

/** New tokens in place of previous ones. */
export interface Renewed<S> {
  readonly receivedAt: Date;
  readonly previous: S;
}

/** Stored credentials without the time of their receipt. */
export type Unstamped<S extends StoredCredentials = StoredCredentials> = Omit<S, 'receivedAt'>;

/** Credentials as the API accepts them, and how they are stored. */
export interface CredentialInput<S extends Unstamped = Unstamped, Z extends z.ZodObject = z.ZodObject> {
  /** The fields besides `type`; others are rejected. */
  readonly members: Z;
  store(given: z.output<Z>): S;
}

/** How a field of a form is shown; `credentials` of the definition may override it. */
interface FieldLook {
  readonly title: string;
  readonly secret?: true;
  /** Not trimmed. */
  readonly verbatim?: true;
  /** Not shown unless the definition says so (`hidden: false`). */
  readonly hidden?: true;
}

/** Credentials that a user enters: their endpoint, and the fields of the connect page. */
export interface CredentialForm<S extends Unstamped = Unstamped> extends CredentialInput<S> {
  /** The path of the endpoint, without the integration's key at its end. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly example?: JsonObject;
  readonly fields: Readonly<Record<string, FieldLook>>;
  /** Fields that are connection configuration: they are validated as `params[<field>]` is, and stored there. */
  readonly configuration?: readonly string[];
  /** The fields are those that the definition declares in `credentials`. */
  readonly hasDeclaredFields?: true;
  /** What the connect page sends for empty fields. */
  readonly empty?: JsonObject;
  /** @throws ServiceError if the integration lacks a required setting, or `invalid_body` */
  check?(given: Readonly<Record<string, unknown>>, input: ModeInput): void;
}

/** `none`: there is nothing to revoke, or no way. `later`: the provider could not be asked. */
export type RevocationOutcome = 'revoked' | 'refused' | 'later' | 'none';

/** A field of an integration's app, as named in the API. */
export type AppMember = 'client_id' | 'client_secret' | 'scopes' | 'app_id' | 'app_link' | 'private_key';

/** How connections are authorized: everything the service needs for it. `README.md` explains how to add one. */
export interface AuthMode<S extends StoredCredentials = StoredCredentials> extends ModeRules {
  /** The value of `auth_mode` in definitions and of `type` in credentials. */
  readonly name: S['type'];
  /** The fields of an integration's app. Absent: there is no app. */
  readonly app?: readonly AppMember[];
  /** The app is one that an operator can share between environments. */
  readonly hasShareableApp?: true;
  /** Credentials can only be verified by a call to the provider's API: done on import, and at least daily. */
  readonly isProvenByCall?: true;
  /** The schema of what `present` returns. */
  readonly presented: z.ZodObject;
  /** Absent: credentials cannot be imported. */
  readonly imported?: CredentialInput<Unstamped<S>>;
  /** Absent: users cannot enter credentials. */
  readonly form?: CredentialForm<Unstamped<S>>;

  /** The `credentials` field of a connection, dates as ISO 8601. Refresh tokens only if requested. */
  present(stored: S, options: { readonly withRefreshToken: boolean }): JsonObject;
  /** Whether the credentials can be renewed without the user. Default: if the mode has `refresh`. */
  isRefreshable?(stored: S): boolean;
  /** Default credential headers, the same for every request; the provider's `proxy.headers` are added. */
  sign?(stored: S, input: SigningInput): Readonly<Record<string, string>>;
  /** For modes whose signature covers the request; what is the same for all requests is computed once. */
  signer?(stored: S, input: SigningInput): RequestSigner;
  /** Whether these signatures cover any body, which is then held in memory; otherwise only forms are, and others streamed. */
  signsBody?(stored: S, input: SigningInput): boolean;
  /** The client certificate that calls of the API present. */
  certificate?(stored: S, input: SigningInput): ClientCertificate | undefined;
  /** Values for `${accessToken}` and `${credentials.x}` in the provider's templates. */
  templateValues(stored: S): Readonly<Record<string, string>>;

  /**
   * Redirect modes: where to send the browser. Nothing is stored before.
   *
   * @throws ServiceError for missing settings; `provider_unavailable`, `connection_test_failed` if a call for it fails
   */
  begin?(deps: ModeDeps, input: ModeInput, flow: FlowStart): Promise<Redirect>;
  /** Whether users of the provider are sent to it. Absent: whether the mode has `begin`. */
  redirects?(definition: ProviderDefinition): boolean;
  /** Redirect modes: handles the callback. @throws TokenFailure */
  complete?(deps: ModeDeps, input: ModeInput, end: FlowEnd): Promise<Completed<S>>;
  /** What an integration says of itself at `clientDocumentUrl`, for servers that take the URL as client ID. */
  clientDocument?(place: { readonly url: string; readonly redirectUri: string }): JsonObject;
  /**
   * Completes imported or entered credentials before they are stored. @throws ServiceError `missing_client_id`,
   * `connection_test_failed` if the provider rejects them, `provider_unavailable`
   */
  prepare?(deps: ModeDeps, input: ModeInput, stored: S): Promise<S>;
  /** One token request. @throws TokenFailure */
  refresh?(deps: ModeDeps, input: ModeInput, stored: S): Promise<S>;
  /** The credentials with an app of the connection's own, for whose requests it then stands. Absent: there is none. */
  withOwnApp?(stored: S, app: ConfigOverride): S;
  /** That app, for requests of a plugin in its name. */
  ownApp?(stored: S): ConfigOverride | undefined;
  /**
   * The new credentials of an account with the refresh token of its previous ones; undefined if that belongs to another app.
   * Absent: a refresh token that a new authorization does not bring is lost.
   */
  keepRefreshToken?(stored: S, previous: S): S | undefined;
  /** Asks the provider to revoke the credentials of a deleted connection. */
  revoke?(deps: ModeDeps, input: ModeInput, stored: S): Promise<RevocationOutcome>;
  /** Whether the code of a callback is exchanged by `FlowEnd.exchangeCode`, if a plugin has it. Absent: never. */
  takesExchange?(definition: ProviderDefinition): boolean;
  /** What the user entered in the form. Absent: a plugin cannot exchange it for other credentials. */
  entered?(stored: S): Readonly<Record<string, string>>;
  /** The stored form of what a plugin's hook has obtained. @throws TokenFailure for unusable tokens */
  adopt?(input: Pick<ModeInput, 'definition'>, tokens: TokenSet, received: Renewed<S>): S;
}
