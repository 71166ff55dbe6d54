import * as z from 'zod';
import { OutboundError, type OutboundResponse } from '../../kit/outbound.ts';
import { parseStrictJson } from '../../kit/strict-json.ts';
import { type ModeDeps, TokenFailure } from '../auth-mode.ts';
import { type ServerMetadata, UnusableDocument } from '../building-blocks/server-metadata/index.ts';
import { authMethodAt, type ClientMetadata, type ClientRequests, clientMetadata, SECRET_PLACES } from './client-metadata.ts';
import type { BoundClient } from './stored.ts';

const MAX_MS = 10_000;
const MAX_BYTES = 64 * 1024;
// The characters of client IDs and client secrets (RFC 6749 A.1, A.2).
const VISIBLE = /^[\x20-\x7e]+$/;
/** The error codes of a refused registration (RFC 7591 §3.2.2). */
const KNOWN_CODES = [
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_software_statement',
  'unapproved_software_statement',
];

export type RegisteredClient = BoundClient & { readonly from: 'registration' };

const responseSchema = z.looseObject({
  client_id: z.string().max(2048).regex(VISIBLE),
  client_secret: z.string().max(16_384).regex(VISIBLE).nullish(),
  client_secret_expires_at: z.unknown().optional(),
  redirect_uris: z.unknown().optional(),
  token_endpoint_auth_method: z.unknown().optional(),
});

/**
 * Registers a client (RFC 7591). The client gets a secret if the server supports that, but not if the secret would expire, which
 * would also end the client's connections, and the server accepts clients without one.
 *
 * @throws TokenFailure if the server cannot be reached now; UnusableDocument if it registers no client, or one that differs from
 *   the request
 */
export async function register(deps: ModeDeps, server: ServerMetadata, requests: ClientRequests): Promise<RegisteredClient> {
  const method = authMethodAt(server);
  const confidential = await registerAs(deps, server, clientMetadata(requests, method));
  const isBetterPublic = confidential.secretExpires && server.tokenEndpointAuthMethods?.includes('none') === true;
  if (!isBetterPublic) return confidential.client;
  return (await registerAs(deps, server, clientMetadata(requests, 'none'))).client;
}

interface Registered {
  readonly client: RegisteredClient;
  readonly secretExpires: boolean;
}

async function registerAs(deps: ModeDeps, server: ServerMetadata, metadata: ClientMetadata): Promise<Registered> {
  if (server.registrationEndpoint === undefined)
    throw new UnusableDocument('the authorization server registers no clients (RFC 7591)');
  const response = await send(deps, server.registrationEndpoint, metadata);
  if (response.status === 429 || response.status >= 500)
    throw new TokenFailure('transient', 'the authorization server cannot register a client at the moment', {
      status: response.status,
    });
  if (response.status !== 200 && response.status !== 201) throw refusal(response);
  const { success, data } = responseSchema.safeParse(readJson(response));
  if (!success) throw new UnusableDocument('the response to the registration of a client is not valid');
  const uris = [data.redirect_uris ?? metadata.redirect_uris].flat();
  // Codes would be sent to these URIs, so other URIs mean that the server confuses two clients, or works for an attacker.
  if (uris.length !== 1 || uris[0] !== metadata.redirect_uris[0])
    throw new UnusableDocument('the authorization server registered a client with other redirect URIs');
  const client = readClient(data, metadata);
  // Zero means that the secret never expires (RFC 7591 §3.2.1).
  return { client, secretExpires: client.clientSecret !== undefined && Number(data.client_secret_expires_at ?? 0) !== 0 };
}

/** Reads the registered client. Its values take precedence over the requested ones (RFC 7591 §3.2.1). */
function readClient(data: z.output<typeof responseSchema>, metadata: ClientMetadata): RegisteredClient {
  const { client_id: clientId, client_secret: clientSecret } = data;
  const { token_endpoint_auth_method: given } = data;
  const method = typeof given === 'string' ? given : metadata.token_endpoint_auth_method;
  if (method === 'none' || !clientSecret) return { from: 'registration', clientId };
  const secretIn = SECRET_PLACES[method];
  if (secretIn === undefined)
    throw new UnusableDocument('the authorization server registered a client with an unknown way to authenticate');
  return { from: 'registration', clientId, clientSecret, secretIn };
}

async function send({ outbound, tokenCallMs = MAX_MS }: ModeDeps, url: string, body: ClientMetadata): Promise<OutboundResponse> {
  try {
    return await outbound.call(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      timeoutMs: Math.min(tokenCallMs, MAX_MS),
      maxBytes: MAX_BYTES,
    });
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    if (cause.code === 'too_large')
      throw new UnusableDocument('the response to the registration of a client is too large', { cause });
    throw new TokenFailure('transient', 'a client cannot be registered: the authorization server does not respond', { cause });
  }
}

function refusal(response: OutboundResponse): UnusableDocument {
  const { status } = response;
  const error = z.looseObject({ error: z.string() }).safeParse(readJson(response)).data?.error ?? '';
  const code = KNOWN_CODES.includes(error) ? ` ${error}` : '';
  return new UnusableDocument(`the authorization server registers no client (${status}${code})`, { status });
}

function readJson({ body }: OutboundResponse): unknown {
  try {
    return parseStrictJson(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
