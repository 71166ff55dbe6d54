import { OutboundError } from '../../../kit/outbound.ts';
import { type DocumentDeps, fetchDocument, type PublishedDocument, UnusableDocument } from './fetch-document.ts';
import { flagIn, listIn, MAX_URL, quoted } from './members.ts';
import { serverMetadataUrls, wellKnownUrl } from './well-known.ts';

const WHAT = 'the metadata of the authorization server';

/**
 * What an authorization server says of itself (RFC 8414 §2). A member is judged when it is used, and by its reader alone: servers
 * publish odd values for what they do not have.
 */
export interface ServerMetadata {
  /** As in the document; the `iss` of authorization responses equals it (RFC 9207 §2.4). */
  readonly issuer: string;
  /** Each of these is an address that may be called. @throws UnusableDocument when read, for one that is not */
  readonly authorizationEndpoint?: string | undefined;
  readonly tokenEndpoint?: string | undefined;
  readonly registrationEndpoint?: string | undefined;
  readonly revocationEndpoint?: string | undefined;
  readonly introspectionEndpoint?: string | undefined;
  readonly userinfoEndpoint?: string | undefined;
  /** All that it issues tokens for (RFC 9728 §4). Undefined: it does not say. */
  readonly protectedResources?: readonly string[] | undefined;
  /** `offline_access` is a scope (OpenID Connect Core §11). */
  readonly offersOfflineAccess: boolean;
  readonly tokenEndpointAuthMethods?: readonly string[] | undefined;
  /** Undefined: the server does not say. Servers that it does not find `S256` in are refused by `requirePkce`. */
  readonly codeChallengeMethods?: readonly string[] | undefined;
  /** Every authorization response has `iss` (RFC 9207 §3). */
  readonly isIssuerSent: boolean;
  /** `client_id` may be the URL of a document (draft-ietf-oauth-client-id-metadata-document). */
  readonly takesClientDocument: boolean;
}

/**
 * Reads the metadata of an issuer, from the first of its well-known addresses that has a document.
 *
 * @throws TokenFailure if it cannot be read now, UnusableDocument if there is none or it may not be believed
 */
export async function fetchServerMetadata(deps: DocumentDeps, issuer: string): Promise<ServerMetadata> {
  for (const url of serverMetadataUrls(issuerUrl(deps, issuer))) {
    const document = await fetchDocument(deps, { url, what: WHAT });
    if (document !== undefined) return readDocument(deps, document, issuer);
  }
  throw new UnusableDocument('the authorization server publishes no metadata (RFC 8414)');
}

/**
 * The issuer that the metadata at an origin names: servers of before RFC 9728 publish it there, also where the issuer has a path
 * (MCP specification 2025-03-26, "Authorization Base URL"). One of another origin is not believed.
 */
export async function issuerAtOrigin(deps: DocumentDeps, origin: string): Promise<string> {
  const url = wellKnownUrl(new URL(origin), 'oauth-authorization-server');
  const document = await fetchDocument(deps, { url, what: WHAT });
  const issuer = document?.['issuer'];
  return typeof issuer === 'string' && URL.parse(issuer)?.origin === origin ? issuer : origin;
}

/**
 * Refuses a server that does not promise PKCE with S256: without it a stolen code is worth something (RFC 9700 §2.1.1).
 *
 * @param promise `stated`: RFC 8414 §2, a server that says nothing has none. `not denied`: OpenID providers often say nothing
 * @throws UnusableDocument
 */
export function requirePkce({ codeChallengeMethods }: ServerMetadata, promise: 'stated' | 'not denied'): void {
  if (codeChallengeMethods?.includes('S256') ?? promise === 'not denied') return;
  throw new UnusableDocument('the authorization server does not support PKCE with S256');
}

function issuerUrl({ outbound }: DocumentDeps, issuer: string): URL {
  const url = URL.parse(issuer);
  if (url === null || /[?#]/.test(issuer)) throw new UnusableDocument('the issuer is not a URL without query');
  return allowed(outbound, url, 'issuer');
}

function readDocument({ outbound }: DocumentDeps, document: PublishedDocument, asked: string): ServerMetadata {
  const { issuer } = document;
  if (typeof issuer !== 'string' || issuer.length > MAX_URL || !isSameIssuer(issuer, asked)) {
    const difference = `found ${quoted(issuer)}, configured ${quoted(asked)}`;
    throw new UnusableDocument(`${WHAT} is that of another issuer: ${difference} (RFC 8414 §3.3)`, { status: 200 });
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

/** Keeps of a document what may be used. */
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

/** Empty: there is none. What is no text stays as one that is no URL. */
function endpointIn(document: PublishedDocument, name: EndpointName): string {
  const value = document[name] ?? '';
  return typeof value === 'string' && value.length <= MAX_URL ? value : quoted(value);
}

/** Character by character (§4); only an empty path and "/" are the same (RFC 3986 §6.2.3), and their metadata has one address. */
function isSameIssuer(issuer: string, asked: string): boolean {
  const withoutSlash = (text: string) => (URL.parse(text)?.pathname === '/' ? text.replace(/\/$/, '') : text);
  return withoutSlash(issuer) === withoutSlash(asked);
}

/** No fragment (RFC 6749 §3.1). */
function allowedEndpoint(outbound: DocumentDeps['outbound'], text: string, name: string): string {
  const url = URL.parse(text);
  if (url === null || text.includes('#'))
    throw new UnusableDocument(`${WHAT} has an invalid ${name}: ${quoted(text)}`, { status: 200 });
  return allowed(outbound, url, name).href;
}

/** https, and no inner host that is named by its address; names are checked when they are called. */
function allowed(outbound: DocumentDeps['outbound'], url: URL, name: string): URL {
  try {
    outbound.check(url);
    return url;
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    throw new UnusableDocument(`the address of the authorization server is not allowed (${name})`, { cause });
  }
}
