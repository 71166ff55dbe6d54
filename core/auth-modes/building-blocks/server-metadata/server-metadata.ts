import { OutboundError } from '../../../kit/outbound.ts';
import { type DocumentDeps, fetchDocument, type PublishedDocument, UnusableDocument } from './fetch-document.ts';
import { flagIn, listIn, MAX_URL, quoted } from './members.ts';
import { serverMetadataUrls, wellKnownUrl } from './well-known.ts';

const WHAT = 'the metadata of the authorization server';

/**
 * The metadata that an authorization server publishes (RFC 8414 §2). Endpoints are checked only when they are read, since servers
 * publish odd values for features that they do not have.
 */
export interface ServerMetadata {
  /** The issuer exactly as in the document; the `iss` of authorization responses has to equal it (RFC 9207 §2.4). */
  readonly issuer: string;
  /** The endpoints. @throws UnusableDocument when an endpoint is read whose address may not be called */
  readonly authorizationEndpoint?: string | undefined;
  readonly tokenEndpoint?: string | undefined;
  readonly registrationEndpoint?: string | undefined;
  readonly revocationEndpoint?: string | undefined;
  readonly introspectionEndpoint?: string | undefined;
  readonly userinfoEndpoint?: string | undefined;
  /** All resources that the server issues tokens for (RFC 9728 §4); undefined if it does not say. */
  readonly protectedResources?: readonly string[] | undefined;
  /** True if the server supports the scope `offline_access` (OpenID Connect Core §11). */
  readonly offersOfflineAccess: boolean;
  readonly tokenEndpointAuthMethods?: readonly string[] | undefined;
  /** The supported code challenge methods; undefined if the server does not say. `requirePkce` refuses servers without `S256`. */
  readonly codeChallengeMethods?: readonly string[] | undefined;
  /** True if the server promises to send `iss` in every authorization response (RFC 9207 §3). */
  readonly isIssuerSent: boolean;
  /** True if the URL of a client's document may be its `client_id` (draft-ietf-oauth-client-id-metadata-document). */
  readonly takesClientDocument: boolean;
}

/**
 * Reads the metadata of an issuer from the first of its well-known addresses that serves a document.
 *
 * @throws TokenFailure if it cannot be read at the moment, UnusableDocument if there is none or it must not be trusted
 */
export async function fetchServerMetadata(deps: DocumentDeps, issuer: string): Promise<ServerMetadata> {
  for (const url of serverMetadataUrls(issuerUrl(deps, issuer))) {
    const document = await fetchDocument(deps, { url, what: WHAT });
    if (document !== undefined) return readDocument(deps, document, issuer);
  }
  throw new UnusableDocument('the authorization server publishes no metadata (RFC 8414)');
}

/**
 * Returns the issuer that is named by the metadata at an origin: there, servers older than RFC 9728 publish it even if the issuer
 * has a path (MCP specification 2025-03-26, "Authorization Base URL"). If it has another origin, it is not trusted, and the
 * origin itself is returned.
 */
export async function issuerAtOrigin(deps: DocumentDeps, origin: string): Promise<string> {
  const url = wellKnownUrl(new URL(origin), 'oauth-authorization-server');
  const document = await fetchDocument(deps, { url, what: WHAT });
  const issuer = document?.['issuer'];
  return typeof issuer === 'string' && URL.parse(issuer)?.origin === origin ? issuer : origin;
}

/**
 * Refuses a server that does not support PKCE with S256, without which a stolen code could be exchanged (RFC 9700 §2.1.1).
 *
 * @param promise `stated`: a server that says nothing does not support it (RFC 8414 §2). `not denied`: a server that says nothing
 *   is accepted, since OpenID providers often say nothing
 * @throws UnusableDocument
 */
export function requirePkce({ codeChallengeMethods }: ServerMetadata, promise: 'stated' | 'not denied'): void {
  if (codeChallengeMethods?.includes('S256') ?? promise === 'not denied') return;
  throw new UnusableDocument('the authorization server does not support PKCE with S256');
}

function issuerUrl({ outbound }: DocumentDeps, issuer: string): URL {
  const url = URL.parse(issuer);
  if (url === null || /[?#]/.test(issuer)) throw new UnusableDocument('the issuer must be a URL without query and fragment');
  return allowed(outbound, url, 'issuer');
}

function readDocument({ outbound }: DocumentDeps, document: PublishedDocument, asked: string): ServerMetadata {
  const { issuer } = document;
  if (typeof issuer !== 'string' || issuer.length > MAX_URL || !isSameIssuer(issuer, asked)) {
    const difference = `found ${quoted(issuer)}, configured ${quoted(asked)}`;
    throw new UnusableDocument(`${WHAT} describes another issuer: ${difference} (RFC 8414 §3.3)`, { status: 200 });
  }
  return new PublishedServer(outbound, issuer, document);
}

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'introspection_endpoint',
  'userinfo_endpoint',
] as const;
type EndpointName = (typeof ENDPOINTS)[number];

/** The metadata in a document, reduced to the fields that the service uses. */
class PublishedServer implements ServerMetadata {
  readonly issuer: string;
  readonly protectedResources: readonly string[] | undefined;
  readonly offersOfflineAccess: boolean;
  readonly tokenEndpointAuthMethods: readonly string[] | undefined;
  readonly codeChallengeMethods: readonly string[] | undefined;
  readonly isIssuerSent: boolean;
  readonly takesClientDocument: boolean;
  readonly #outbound: DocumentDeps['outbound'];
  readonly #endpoints: ReadonlyMap<EndpointName, string>;

  constructor(outbound: DocumentDeps['outbound'], issuer: string, document: PublishedDocument) {
    this.issuer = issuer;
    this.protectedResources = listIn(document, 'protected_resources');
    this.offersOfflineAccess = listIn(document, 'scopes_supported')?.includes('offline_access') === true;
    this.tokenEndpointAuthMethods = listIn(document, 'token_endpoint_auth_methods_supported');
    this.codeChallengeMethods = listIn(document, 'code_challenge_methods_supported');
    this.isIssuerSent = flagIn(document, 'authorization_response_iss_parameter_supported');
    this.takesClientDocument = flagIn(document, 'client_id_metadata_document_supported');
    this.#outbound = outbound;
    this.#endpoints = new Map(ENDPOINTS.map((name) => [name, endpointIn(document, name)] as const));
  }

  get authorizationEndpoint(): string | undefined {
    return this.#endpoint('authorization_endpoint');
  }

  get tokenEndpoint(): string | undefined {
    return this.#endpoint('token_endpoint');
  }

  get registrationEndpoint(): string | undefined {
    return this.#endpoint('registration_endpoint');
  }

  get revocationEndpoint(): string | undefined {
    return this.#endpoint('revocation_endpoint');
  }

  get introspectionEndpoint(): string | undefined {
    return this.#endpoint('introspection_endpoint');
  }

  get userinfoEndpoint(): string | undefined {
    return this.#endpoint('userinfo_endpoint');
  }

  #endpoint(name: EndpointName): string | undefined {
    const text = this.#endpoints.get(name) ?? '';
    return text === '' ? undefined : allowedEndpoint(this.#outbound, text, name);
  }
}

/**
 * Returns an endpoint, or '' if there is none. A value that is not a text is returned as a quoted text; this is not a URL, so it
 * is refused as soon as the endpoint is read.
 */
function endpointIn(document: PublishedDocument, name: EndpointName): string {
  const value = document[name] ?? '';
  return typeof value === 'string' && value.length <= MAX_URL ? value : quoted(value);
}

/**
 * Compares issuers character by character (§4), except that an empty path equals "/" (RFC 3986 §6.2.3), since the metadata of
 * both has the same address.
 */
function isSameIssuer(issuer: string, asked: string): boolean {
  const withoutSlash = (text: string) => (URL.parse(text)?.pathname === '/' ? text.replace(/\/$/, '') : text);
  return withoutSlash(issuer) === withoutSlash(asked);
}

/** Checks an endpoint, which must be a URL without a fragment (RFC 6749 §3.1) that may be called. */
function allowedEndpoint(outbound: DocumentDeps['outbound'], text: string, name: string): string {
  const url = URL.parse(text);
  if (url === null || text.includes('#'))
    throw new UnusableDocument(`${WHAT} has an invalid ${name}: ${quoted(text)}`, { status: 200 });
  return allowed(outbound, url, name).href;
}

/**
 * Checks that a URL uses https and does not contain the IP address of an internal host. Host names are checked later, when they
 * are called.
 */
function allowed(outbound: DocumentDeps['outbound'], url: URL, name: string): URL {
  try {
    outbound.check(url);
    return url;
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    throw new UnusableDocument(`the address of the authorization server is not allowed (${name})`, { cause });
  }
}
