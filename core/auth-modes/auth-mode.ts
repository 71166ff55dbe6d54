import type * as z from 'zod';
import type { AuthRules, CodeGrant, JsonObject, ModeRules, ProviderDefinition, TokenSet } from '#contract';
import type { ClientCertificate } from '../kit/client-certificate.ts';
import type { Outbound } from '../kit/outbound.ts';
import type { ConfigOverride, StoredCredentials } from './building-blocks/stored-credentials.ts';
import type { ClientSettings } from './client-settings.ts';
import { adviceOn } from './refused-client.ts';

export type { ConfigOverride, StoredCredentials } from './building-blocks/stored-credentials.ts';
export type { ClientSettings } from './client-settings.ts';

/** The input for a call to a provider for one connection. */
export interface ModeInput {
  readonly provider: string;
  readonly definition: ProviderDefinition;
  readonly client: ClientSettings;
  readonly integrationConfig: JsonObject;
  readonly connectionConfig: JsonObject;
  /** Names the caller to a provider that this process serves itself (`Outbound.inside`); undefined for all other providers. */
  readonly inside?: string | undefined;
  /** The rules of the provider's plugin. Modes do not call its hooks, which need a context; the callers of a mode do. */
  readonly rules?: AuthRules | undefined;
}

/**
 * What modes need for their calls. During a refresh `now` is the database's time, so that instances with different clocks agree on
 * expiry.
 */
export interface ModeDeps {
  readonly outbound: Outbound;
  readonly now: () => Date;
  /** Timeout of a token request in milliseconds. Default: 20,000. */
  readonly tokenCallMs?: number;
}

/** The start of a redirect flow. Until the callback, the secrets are stored encrypted in the flow row. */
export interface Redirect {
  readonly url: string;
  readonly secrets: JsonObject;
}

export interface FlowStart {
  readonly state: string;
  /** The redirect URI. The exchange must repeat this exact string (RFC 6749 §4.1.3), so it is kept in the flow's secrets. */
  readonly redirectUri: string;
  /** Authorization parameters set by the application's backend for this session. */
  readonly authorizationParams: Readonly<Record<string, string>>;
  /**
   * The URL of the document in which the integration describes itself as a client, for modes with a `clientDocument`; each
   * integration has a different one.
   */
  readonly clientDocumentUrl?: string;
}

/** The end of a redirect flow: the callback's query, and the secrets of `begin`. */
export interface FlowEnd {
  readonly query: Readonly<Record<string, string>>;
  readonly secrets: JsonObject;
  /** The stored credentials, if the connection is reauthorized. */
  readonly previous?: StoredCredentials | undefined;
  /** The code exchange of the provider's plugin, which replaces that of the mode. @throws ServiceError if the plugin fails */
  readonly exchangeCode?: CodeExchange | undefined;
}

/** Exchanges a code for tokens. @param connectionConfig includes the values from the callback */
export type CodeExchange = (grant: CodeGrant, connectionConfig: JsonObject) => Promise<TokenSet>;

export interface Completed<S extends StoredCredentials = StoredCredentials> {
  readonly credentials: S;
  /**
   * Values from the callback's query and the token response that the definition keeps (`redirect_uri_metadata`,
   * `token_response_metadata`).
   */
  readonly connectionConfig: JsonObject;
}

/**
 * Why a token request returned no token. `refused`: the grant has ended and the user must authorize again (RFC 6749 §5.2
 * `invalid_grant` and similar). `unknown`: no complete response arrived, so the refresh token may have been used up. `transient`:
 * the provider cannot issue a token now. `malformed`: the response is not a valid token response.
 */
export type TokenFailureKind = 'refused' | 'transient' | 'unknown' | 'malformed';

export class TokenFailure extends Error {
  override readonly name = 'TokenFailure';
  readonly kind: TokenFailureKind;
  /** The HTTP status; 0 when no response arrived. */
  readonly status: number;
  /** The provider's `error`, if it is a known code. Never free text, since providers echo secrets. */
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

  /** The provider's error code, since that is what people search for; without one, the message. */
  get summary(): string {
    return this.providerCode === undefined ? this.message : `the provider answered ${this.providerCode}${adviceOn(this)}`;
  }
}

/** Thrown before code or verifier are sent anywhere: the authorization response is not from the expected server (RFC 9207). */
export class ForeignResponse extends TokenFailure {}

/**
 * Thrown if the callback of an installation cannot lead to a connection. `requested`: an owner has to approve the installation
 * first. `foreign`: the installation does not belong to this app or to this user.
 */
export class InstallationRefused extends TokenFailure {
  readonly reason: 'requested' | 'foreign';

  constructor(reason: InstallationRefused['reason'], message: string, cause?: unknown) {
    super('refused', message, { cause });
    this.reason = reason;
  }
}

/** The facts that signatures need, apart from credentials and request. `client` is the app that authorized the connection. */
export type SigningInput = Pick<ModeInput, 'definition' | 'client' | 'connectionConfig' | 'integrationConfig'>;

/** The parts of a request that a signature may cover. */
export interface SignedRequest {
  readonly method: string;
  readonly origin: string;
  /** The path with the query, as in the request line. */
  readonly path: string;
  /** The headers as `[name in lower case, value]`, without the credential headers. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The body, if it is `application/x-www-form-urlencoded`. */
  readonly form?: string;
  /** The body, if the mode `signsBody`. */
  readonly body?: Buffer;
  readonly at: Date;
}

export type RequestSigner = (request: SignedRequest) => Readonly<Record<string, string>>;

/** When new tokens were received, and the credentials that they replace. */
interface Renewed<S> {
  readonly receivedAt: Date;
  readonly previous: S;
}

/** Stored credentials without the time of their receipt. */
export type Unstamped<S extends StoredCredentials = StoredCredentials> = Omit<S, 'receivedAt'>;

/** The schema of credentials as the API accepts them, and their conversion to the stored form. */
export interface CredentialInput<S extends Unstamped = Unstamped, Z extends z.ZodObject = z.ZodObject> {
  /** The fields in addition to `type`; any others are rejected. */
  readonly members: Z;
  store(given: z.output<Z>): S;
}

/** How a field of a form is shown; `credentials` of the definition may override it. */
interface FieldLook {
  readonly title: string;
  readonly secret?: true;
  /** True if the value is not trimmed. */
  readonly verbatim?: true;
  /** True if the field is hidden unless the definition says `hidden: false`. */
  readonly hidden?: true;
}

/** The form in which a user enters credentials: its endpoint, and the fields on the connect page. */
export interface CredentialForm<S extends Unstamped = Unstamped> extends CredentialInput<S> {
  /** The path of the endpoint, without the integration's key at its end. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly example?: JsonObject;
  readonly fields: Readonly<Record<string, FieldLook>>;
  /** Names of fields that belong to the connection configuration: they are validated and stored like `params[<field>]`. */
  readonly configuration?: readonly string[];
  /** True if the definition alone declares the fields, in `credentials`. */
  readonly hasDeclaredFields?: true;
  /** The values that the connect page sends for empty fields. */
  readonly empty?: JsonObject;
  /**
   * Checks entered values beyond their schema.
   *
   * @throws ServiceError `invalid_body` if they cannot be used; another code if the integration or the connection configuration
   *   lacks a required value
   */
  check?(given: Readonly<Record<string, unknown>>, input: ModeInput): void;
}

/**
 * The outcome of a revocation. `none`: there is nothing to revoke, or the provider offers no revocation. `later`: the provider
 * could not be reached or was busy, so it should be asked again.
 */
export type RevocationOutcome = 'revoked' | 'refused' | 'later' | 'none';

/** A field of an integration's app, as named in the API. */
export type AppMember = 'client_id' | 'client_secret' | 'scopes' | 'app_id' | 'app_link' | 'private_key';

/** A way to authorize connections, with all that the service has to know about it. `README.md` explains how to add one. */
export interface AuthMode<S extends StoredCredentials = StoredCredentials> extends ModeRules {
  /** The value of `auth_mode` in definitions and of `type` in credentials. */
  readonly name: S['type'];
  /** The fields of an integration's app. Absent: the mode needs no app. */
  readonly app?: readonly AppMember[];
  /**
   * Whether integrations may do without the app's ID and secret. `optional`: the mode can register an app by itself; `none`: each
   * connection brings an app of its own. Absent: they are required if `app` names them.
   */
  readonly appNeed?: 'optional' | 'none';
  /** True if all requests as the app fall back to its previous secret (`withPreviousSecret`). */
  readonly hasSecretOverlap?: true;
  /** True if an operator can share the app between environments. */
  readonly hasShareableApp?: true;
  /** True if only a call to the provider's API can verify the credentials; it is made on import, and at least once a day. */
  readonly isProvenByCall?: true;
  /** The schema of the value that `present` returns. */
  readonly presented: z.ZodObject;
  /** How credentials are imported. Absent: they cannot be imported. */
  readonly imported?: CredentialInput<Unstamped<S>>;
  /** How users enter credentials. Absent: they cannot enter any. */
  readonly form?: CredentialForm<Unstamped<S>>;

  /** Returns the `credentials` field of a connection, with dates in ISO 8601, and refresh tokens only if requested. */
  present(stored: S, options: { readonly withRefreshToken: boolean }): JsonObject;
  /** Returns whether the credentials can be refreshed without the user. Default: true if the mode has `refresh`. */
  isRefreshable?(stored: S): boolean;
  /** Returns the default credential headers, which all requests share. The provider's `proxy.headers` are added to them. */
  sign?(stored: S, input: SigningInput): Readonly<Record<string, string>>;
  /** Returns a function that signs requests, for modes whose signatures cover them. What all requests share is computed once. */
  signer?(stored: S, input: SigningInput): RequestSigner;
  /**
   * Returns whether signatures cover every body, which is then held in memory. Otherwise they cover only forms, and other bodies
   * are streamed.
   */
  signsBody?(stored: S, input: SigningInput): boolean;
  /** Returns the client certificate to present when calling the API. */
  certificate?(stored: S, input: SigningInput): ClientCertificate | undefined;
  /** Returns the values for `${accessToken}` and `${credentials.x}` in the provider's templates. */
  templateValues(stored: S): Readonly<Record<string, string>>;

  /**
   * Redirect modes: returns where to send the browser. It is called before anything is stored.
   *
   * @throws ServiceError for missing settings; `provider_unavailable` or `connection_test_failed` if a call to the provider fails
   */
  begin?(deps: ModeDeps, input: ModeInput, flow: FlowStart): Promise<Redirect>;
  /** Returns whether users are sent to the provider's page. Absent: they are if the mode has `begin`. */
  redirects?(definition: ProviderDefinition): boolean;
  /** Redirect modes: handles the callback. @throws TokenFailure */
  complete?(deps: ModeDeps, input: ModeInput, end: FlowEnd): Promise<Completed<S>>;
  /**
   * Returns the document at `clientDocumentUrl`, in which an integration describes itself to servers that accept this URL as the
   * client ID.
   */
  clientDocument?(place: { readonly url: string; readonly redirectUri: string }): JsonObject;
  /**
   * Completes imported or entered credentials before they are stored. @throws ServiceError `missing_client_id`,
   * `connection_test_failed` if the provider rejects them, `provider_unavailable`
   */
  prepare?(deps: ModeDeps, input: ModeInput, stored: S): Promise<S>;
  /** Refreshes the credentials with one token request. @throws TokenFailure */
  refresh?(deps: ModeDeps, input: ModeInput, stored: S): Promise<S>;
  /**
   * Returns the credentials together with an app of the connection, which later requests use. Absent: connections use the
   * integration's app.
   */
  withOwnApp?(stored: S, app: ConfigOverride): S;
  /** Returns the connection's app, if it has one, for requests of a plugin; undefined if it uses the integration's app. */
  ownApp?(stored: S): ConfigOverride | undefined;
  /**
   * Returns the new credentials of a reauthorized account, with the refresh token of the previous ones; undefined if that token
   * belongs to another app. Absent: without a new refresh token, the previous one is lost.
   */
  keepRefreshToken?(stored: S, previous: S): S | undefined;
  /** Asks the provider to revoke the credentials of a deleted connection. */
  revoke?(deps: ModeDeps, input: ModeInput, stored: S): Promise<RevocationOutcome>;
  /** Returns whether `FlowEnd.exchangeCode`, if a plugin provides it, exchanges the code of a callback. Absent: never. */
  takesExchange?(definition: ProviderDefinition): boolean;
  /** Returns the values that the user entered in the form, which a plugin can exchange for credentials. Absent: it cannot. */
  entered?(stored: S): Readonly<Record<string, string>>;
  /** Returns the stored form of tokens that a plugin's hook has obtained. @throws TokenFailure if the tokens are unusable */
  adopt?(input: Pick<ModeInput, 'definition'>, tokens: TokenSet, received: Renewed<S>): S;
}
