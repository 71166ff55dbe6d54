import { OutboundError } from '../../../kit/outbound.ts';
import { type ModeDeps, TokenFailure } from '../../auth-mode.ts';
import { fetchDocument, type PublishedDocument, UnusableDocument } from './fetch-document.ts';
import { listIn, MAX_URL, quoted } from './members.ts';
import { issuerAtOrigin } from './server-metadata.ts';
import { wellKnownUrl } from './well-known.ts';

const MAX_MS = 10_000;
/**
 * Matches a parameter of a challenge (RFC 9110 §11.2): `name=token` or `name="quoted"`. A quoted string is matched as a whole, so
 * that nothing within it is taken for a parameter. Lengths are limited, and matches start only at word boundaries, because the
 * header may consist of 32 KiB of one letter.
 */
const PARAMETER = /(?<![\w-])([\w-]{1,64})\s{0,8}=\s{0,8}(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;
// The characters of a scope (RFC 6749 §3.3).
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/;
const MAX_SCOPES = 100;
/** The first request of any MCP client. The server either answers it without a token, or says which token it requires. */
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'svc', version: '1.0.0' } },
});

const WHAT = 'the metadata of the MCP server';
const NAME = 'oauth-protected-resource';

/** The resource that tokens are requested for, and its authorization servers (RFC 9728). */
export interface ProtectedResource {
  readonly resource: string;
  readonly issuers: readonly string[];
  /** The scopes to request, unless the integration or the definition has some. */
  readonly scopes: readonly string[];
}

/**
 * Finds the authorization servers of an MCP server in its metadata, whose URL is in the server's challenge or else one of the
 * well-known addresses (RFC 9728 §3.1). Servers that are older than this standard are their own authorization servers.
 *
 * @throws TokenFailure if the server cannot be reached now; UnusableDocument if its metadata must not be trusted
 */
export async function protectedResource(deps: ModeDeps, server: URL): Promise<ProtectedResource> {
  const challenge = await challengeOf(deps, server);
  for (const url of addressesOf(server, challenge)) {
    const document = await fetchDocument(deps, { url, what: WHAT });
    if (document !== undefined) return readDocument(document, server, challenge);
  }
  const issuer = await issuerAtOrigin(deps, server.origin);
  return { resource: canonical(server), issuers: [issuer], scopes: challenge.scopes ?? [] };
}

/**
 * Returns whether tokens for a resource may be sent to a server, that is, whether the server's URL is the resource or lies below
 * it. RFC 9728 §3.3 requires equal URLs, but some servers name their origin as the resource for all of their paths.
 */
export function covers(resource: string, server: URL): boolean {
  const url = URL.parse(resource);
  if (url === null || url.hash !== '' || url.origin !== server.origin) return false;
  const path = url.pathname.replace(/\/$/, '');
  const isBelow = server.pathname === path || server.pathname.startsWith(`${path}/`);
  return isBelow && (url.search === '' || url.search === server.search);
}

async function challengeOf(deps: ModeDeps, server: URL): Promise<BearerChallenge> {
  try {
    return await challengeFrom(deps, server);
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    const why = cause.code === 'address_not_allowed' ? 'its address is not allowed' : 'it does not respond';
    throw new TokenFailure('transient', `the MCP server cannot be called: ${why}`, { cause });
  }
}

function addressesOf(server: URL, { metadataUrl }: BearerChallenge): readonly string[] {
  const wellKnown = [wellKnownUrl(server, NAME), wellKnownUrl(new URL(server.origin), NAME)];
  return [...new Set(metadataUrl === undefined ? wellKnown : [metadataUrl, ...wellKnown])];
}

function readDocument(document: PublishedDocument, server: URL, challenge: BearerChallenge): ProtectedResource {
  const { resource } = document;
  if (typeof resource !== 'string' || resource.length > MAX_URL || !covers(resource, server)) {
    const difference = `found ${quoted(resource)}, configured ${quoted(server.href)}`;
    throw new UnusableDocument(`${WHAT} describes another resource: ${difference} (RFC 9728 §3.3)`);
  }
  const issuers = listIn(document, 'authorization_servers') ?? [];
  if (issuers.length === 0) throw new UnusableDocument(`${WHAT} names no authorization server`);
  return { resource, issuers, scopes: challenge.scopes ?? validScopes(listIn(document, 'scopes_supported') ?? []) };
}

/** Returns a resource's URL in the form that the MCP specification prefers: if the path is empty, without its slash. */
function canonical({ href, pathname, search }: URL): string {
  return pathname === '/' && search === '' ? href.replace(/\/$/, '') : href;
}

/** The challenge in a server's response to a request without a token (RFC 9728 §5.1, RFC 6750 §3). */
interface BearerChallenge {
  readonly metadataUrl?: string;
  readonly scopes?: readonly string[];
}

/**
 * Calls the MCP server without a token, and returns its challenge, which is empty if it needs none.
 *
 * @throws OutboundError if the call fails
 */
async function challengeFrom({ outbound, tokenCallMs = MAX_MS }: ModeDeps, server: URL): Promise<BearerChallenge> {
  const { status, headers } = await outbound.call(server, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: INITIALIZE,
    timeoutMs: Math.min(tokenCallMs, MAX_MS),
    // The body is not read: it does not matter, and a server that needs no token may send an endless stream.
    beyond: 'cut',
    maxBytes: 1,
  });
  return status === 401 ? readChallenge(headers['www-authenticate'] ?? '') : {};
}

export function readChallenge(header: string): BearerChallenge {
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain] of header.matchAll(PARAMETER))
    parameters.set(name.toLowerCase(), plain ?? quoted?.replace(/\\(.)/g, '$1') ?? '');
  const metadataUrl = parameters.get('resource_metadata');
  const scope = parameters.get('scope');
  return {
    ...(metadataUrl !== undefined && { metadataUrl }),
    ...(scope !== undefined && { scopes: validScopes(scope.split(' ')) }),
  };
}

/** Returns the entries that are valid scopes, at most `MAX_SCOPES`. */
function validScopes(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => SCOPE.test(scope)).slice(0, MAX_SCOPES);
}
