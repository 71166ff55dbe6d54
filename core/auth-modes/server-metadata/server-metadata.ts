import * as z from 'zod';
import { OutboundError } from '../../kit/outbound.ts';
import { type DocumentDeps, fetchDocument, type PublishedDocument, UnusableDocument } from './fetch-document.ts';
import { serverMetadataUrls } from './well-known.ts';

const WHAT = 'the metadata of the authorization server';

/** What an authorization server says of itself (RFC 8414 §2). Every address is one that may be called. */
export interface ServerMetadata {
  /** As in the document; the `iss` of authorization responses equals it (RFC 9207 §2.4). */
  readonly issuer: string;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly registrationEndpoint?: string;
  readonly revocationEndpoint?: string;
  readonly introspectionEndpoint?: string;
  readonly userinfoEndpoint?: string;
  /** All that it issues tokens for (RFC 9728 §4). Undefined: it does not say. */
  readonly protectedResources?: readonly string[];
  /** `offline_access` is a scope (OpenID Connect Core §11). */
  readonly offersOfflineAccess: boolean;
  readonly tokenEndpointAuthMethods?: readonly string[];
  /** Undefined: the server does not say. Servers that it does not find `S256` in are refused by `requirePkce`. */
  readonly codeChallengeMethods?: readonly string[];
  /** Every authorization response has `iss` (RFC 9207 §3). */
  readonly isIssuerSent: boolean;
  /** `client_id` may be the URL of a document (draft-ietf-oauth-client-id-metadata-document). */
  readonly takesClientDocument: boolean;
}

/** What is kept in memory is small, whatever a server says. */
const words = z.array(z.string().max(100)).max(50).nullish();
const address = z.string().max(2048).nullish();

/** Members that are not known are ignored (RFC 8414 §3.2); some servers send null for what they do not have. */
const documentSchema = z.looseObject({
  issuer: z.string().max(2048),
  authorization_endpoint: address,
  token_endpoint: address,
  registration_endpoint: address,
  revocation_endpoint: address,
  introspection_endpoint: address,
  userinfo_endpoint: address,
  protected_resources: z.array(z.string().max(500)).max(50).nullish(),
  scopes_supported: z.array(z.string()).nullish(),
  token_endpoint_auth_methods_supported: words,
  code_challenge_methods_supported: words,
  authorization_response_iss_parameter_supported: z.boolean().nullish(),
  client_id_metadata_document_supported: z.boolean().nullish(),
});

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
  const { success, data } = documentSchema.safeParse(document);
  if (!success) throw new UnusableDocument(`${WHAT} is not valid`, { status: 200 });
  if (!isSameIssuer(data.issuer, asked))
    throw new UnusableDocument(`${WHAT} is that of another issuer (RFC 8414 §3.3)`, { status: 200 });
  const endpoint = <N extends string>(name: N, text: string | null | undefined) =>
    typeof text !== 'string' ? {} : { [name]: allowedEndpoint(outbound, text, name) };
  return {
    issuer: data.issuer,
    ...endpoint('authorizationEndpoint', data.authorization_endpoint),
    ...endpoint('tokenEndpoint', data.token_endpoint),
    ...endpoint('registrationEndpoint', data.registration_endpoint),
    ...endpoint('revocationEndpoint', data.revocation_endpoint),
    ...endpoint('introspectionEndpoint', data.introspection_endpoint),
    ...endpoint('userinfoEndpoint', data.userinfo_endpoint),
    ...(data.protected_resources && { protectedResources: data.protected_resources }),
    ...(data.token_endpoint_auth_methods_supported && { tokenEndpointAuthMethods: data.token_endpoint_auth_methods_supported }),
    ...(data.code_challenge_methods_supported && { codeChallengeMethods: data.code_challenge_methods_supported }),
    offersOfflineAccess: data.scopes_supported?.includes('offline_access') === true,
    isIssuerSent: data.authorization_response_iss_parameter_supported === true,
    takesClientDocument: data.client_id_metadata_document_supported === true,
  };
}

/** Character by character (§4); only an empty path and "/" are the same (RFC 3986 §6.2.3), and their metadata has one address. */
function isSameIssuer(issuer: string, asked: string): boolean {
  const withoutSlash = (text: string) => (URL.parse(text)?.pathname === '/' ? text.replace(/\/$/, '') : text);
  return withoutSlash(issuer) === withoutSlash(asked);
}

/** No fragment (RFC 6749 §3.1). */
function allowedEndpoint(outbound: DocumentDeps['outbound'], text: string, name: string): string {
  const url = URL.parse(text);
  if (url === null || text.includes('#')) throw new UnusableDocument(`${WHAT} has an invalid ${name}`, { status: 200 });
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
