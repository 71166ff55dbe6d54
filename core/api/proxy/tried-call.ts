import type { Readable } from 'node:stream';
import { ScriptCallError } from '../../../scripts-runtime/script-run.ts';
import type { Connection } from '../../connections/connection.ts';
import { ServiceError } from '../../errors.ts';
import { readOptions } from '../../proxy/options.ts';
import { headerPairs, joinedByName } from '../../proxy/raw-headers.ts';
import type { ConnectionSource } from '../../proxy/resolve.ts';
import { prepareUpstream, type Upstream } from '../../proxy/upstream.ts';
import { type ProviderRequest, readRequest } from '../../scripts/host-functions/provider-request.ts';
import { type Hide, hiderOf } from '../../scripts/run-secrets.ts';
import type { ApiServices } from '../services.ts';

const MAX_SHOWN_BYTES = 64 * 1024;
/** Maximum number of bytes of a response body that are read. Secrets are removed from all of them before the body is cut. */
const MAX_READ_BYTES = 1024 * 1024;
/**
 * Maximum length of a secret. If a body is not read to its end, it may break off within a secret, which is then not found; so the
 * last part of the text, as long as a secret, is removed.
 */
const MAX_SECRET = 32 * 1024;
const TOTAL_MS = 60_000;
const FIRST_BYTE_SECONDS = '30';
/** Matches the names of credential headers that contain a secret. The values of other headers are the same for everybody. */
const SECRET = /auth|key|secret|token/;

interface TriedRequest {
  readonly requestId: string;
  readonly environmentId: number;
  readonly connection_id: string;
  readonly provider_config_key: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | null | undefined;
}

/**
 * Calls a provider through the proxy and returns its response as text. Credentials that the provider repeats are removed, since
 * being allowed to call does not include being allowed to read them.
 *
 * @throws ServiceError `invalid_body` if the request cannot be sent as given, `provider_timeout` if the provider does not respond
 *   in time; those of the proxy
 */
export async function tryCall(services: ApiServices, tried: TriedRequest) {
  const { method, target, headers, body } = requestOf(tried);
  const { requestId, environmentId, connection_id: connectionId, provider_config_key: key } = tried;
  const { proxy } = services;
  const found = await proxy.connections.find(environmentId, key, connectionId);
  const used = new Set([found.connection]);
  const named = { 'connection-id': latin1(connectionId), 'provider-config-key': latin1(key) };
  const signal = AbortSignal.timeout(TOTAL_MS);
  const startedAt = performance.now();
  const call = {
    requestId,
    environmentId,
    mayOverride: false,
    method,
    target,
    headers: Object.entries(headers).flat(),
    body,
    options: readOptions({ ...headers, ...named, 'svc-timeout': FIRST_BYTE_SECONDS }),
    signal,
  };
  const response = await proxy.call(call, noting(proxy.connections, used));
  if (response === undefined) throw new ServiceError('provider_timeout', 'the provider did not respond in time');
  const read = await readText(response.body, signal);
  const hide = hiderOfAll(services, found, used);
  return {
    request_id: requestId,
    status: response.status,
    duration_ms: Math.round(performance.now() - startedAt),
    headers: shownHeaders(joinedByName(response.headers), hide),
    ...shownBody(read, hide),
  };
}

function requestOf({ method, path, headers, body }: TriedRequest): ProviderRequest {
  const defaults = { 'user-agent': 'svc-dashboard', ...(body != null && { 'content-type': 'application/json' }) };
  const lower = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  try {
    return readRequest({ method, endpoint: path, headers: { ...defaults, ...Object.fromEntries(lower) }, data: body });
  } catch (error) {
    if (error instanceof ScriptCallError) throw new ServiceError('invalid_body', error.message);
    throw error;
  }
}

/**
 * Returns the same source, but adds to `used` every connection whose credentials the call may have sent; there can be several
 * versions, because the credentials may be refreshed during the call.
 */
function noting(connections: ConnectionSource, used: Set<Connection>): ConnectionSource {
  return {
    async find(...address) {
      const found = await connections.find(...address);
      used.add(found.connection);
      return found;
    },
    async fresh(...asked) {
      const fresh = await connections.fresh(...asked);
      used.add(fresh);
      return fresh;
    },
    touch: (id) => connections.touch(id),
  };
}

function hiderOfAll(services: ApiServices, { integration }: Upstream, used: ReadonlySet<Connection>): Hide {
  const hiders = [...used].map((connection) => {
    const { credentials } = prepareUpstream(services, { integration, connection });
    // The value that is sent may differ from the stored one: a user name and a password, for example, are sent in Base64.
    const sent = headerPairs(credentials.raw).flatMap(([name, value]) =>
      SECRET.test(name) ? [value.replace(/^\w+ +/, '')] : [],
    );
    return hiderOf({ kind: 'live', integration, connection }, connection, sent);
  });
  return (text) => hiders.reduce((hidden, hide) => hide(hidden), text);
}

interface ReadText {
  readonly text: string;
  readonly isWhole: boolean;
}

async function readText(body: Readable, signal: AbortSignal): Promise<ReadText> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_READ_BYTES) break;
    }
  } catch (cause) {
    const code = signal.aborted ? 'provider_timeout' : 'provider_unreachable';
    throw new ServiceError(code, 'the provider’s response was interrupted', { cause });
  }
  return { text: Buffer.concat(chunks).toString('utf8'), isWhole: length <= MAX_READ_BYTES };
}

function shownHeaders(headers: Readonly<Record<string, string>>, hide: Hide): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(value)]));
}

function shownBody({ text, isWhole }: ReadText, hide: Hide) {
  const hidden = Buffer.from(isWhole ? hide(text) : hide(text).slice(0, -MAX_SECRET));
  // With `stream: true` an incomplete character at the end is left out.
  const body = new TextDecoder('utf-8', { ignoreBOM: true }).decode(hidden.subarray(0, MAX_SHOWN_BYTES), { stream: true });
  return { body, truncated: !isWhole || hidden.length > MAX_SHOWN_BYTES };
}

/** Encodes a header value in UTF-8, with one character per byte, as the proxy expects it. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
