import type { ModeDeps } from '../../auth-mode.ts';

const MAX_MS = 10_000;
/**
 * RFC 9110 §11.2: `name=token` or `name="quoted"`, quoted texts as a whole so that nothing is found inside of one. Bounded, and tried
 * at the beginnings of words alone: the header may be 32 KiB of one letter.
 */
const PARAMETER = /(?<![\w-])([\w-]{1,64})\s{0,8}=\s{0,8}(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;
// RFC 6749 §3.3
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/;
const MAX_SCOPES = 100;

/** The first request of any client of the protocol; the response to it needs no token, or says which. */
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'svc', version: '1.0.0' } },
});

/** What a server says to a request without a token (RFC 9728 §5.1, RFC 6750 §3). */
export interface Challenge {
  readonly metadataUrl?: string;
  readonly scopes?: readonly string[];
}

/** @throws OutboundError */
export async function challengeFrom({ outbound, tokenCallMs = MAX_MS }: ModeDeps, server: URL): Promise<Challenge> {
  const { status, headers } = await outbound.call(server, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: INITIALIZE,
    timeoutMs: Math.min(tokenCallMs, MAX_MS),
    // The body does not matter, and that of an open server may be a stream without an end.
    beyond: 'cut',
    maxBytes: 1,
  });
  return status === 401 ? readChallenge(headers['www-authenticate'] ?? '') : {};
}

export function readChallenge(header: string): Challenge {
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

/** What could not be one scope is none. */
export function validScopes(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => SCOPE.test(scope)).slice(0, MAX_SCOPES);
}
