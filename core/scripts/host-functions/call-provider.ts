import type { Readable } from 'node:stream';
import { ScriptCallError } from '../../../scripts-runtime/script-run.ts';
import { parseJson } from '../../kit/exact-json.ts';
import { newRequestId } from '../../kit/random-id.ts';
import type { ProxyResponse } from '../../proxy/message.ts';
import { readOptions } from '../../proxy/options.ts';
import { joinedByName } from '../../proxy/raw-headers.ts';
import { connectionSourceOf } from '../connection-source.ts';
import type { ScriptDeps } from '../deps.ts';
import type { RunSubject } from '../subject.ts';
import { readRequest } from './provider-request.ts';

/** Maximum size of a response in bytes, after decompression: parsing a larger one could exceed a script's memory limit. */
const MAX_BYTES = 2 * 1024 * 1024;
const JSON_TYPE = /^[^;]*[/+]json\s*(?:;|$)/i;

interface ScriptCall {
  readonly request: unknown;
  /** Aborts at the end of the run. */
  readonly signal: AbortSignal;
}

/**
 * Makes a call through the proxy, like the calls of other callers: with refreshed credentials, retries, the outbound guard and
 * the operation log. The connection is always the run's.
 *
 * @throws ScriptCallError `invalid_arguments` for a request that is not valid, `answer_too_large`, `provider_unreachable` if the
 *   response is interrupted; ServiceError of the proxy
 */
export async function callProvider(deps: ScriptDeps, subject: RunSubject, call: ScriptCall): Promise<ProviderResponse> {
  const { method, target, headers, body } = readRequest(call.request);
  const { signal } = call;
  signal.throwIfAborted();
  const { environmentId, connectionId, providerConfigKey } = subject.connection;
  const named = { 'connection-id': latin1(connectionId), 'provider-config-key': latin1(providerConfigKey) };
  const request = {
    requestId: newRequestId(),
    environmentId,
    mayOverride: false,
    method,
    target,
    headers: Object.entries(headers).flat(),
    body,
    options: readOptions({ ...headers, ...named }),
    signal,
  };
  const response = await deps.proxy.call(request, connectionSourceOf(deps, subject));
  if (response === undefined) throw signal.reason;
  return readResponse(response);
}

/** Returns the text in the form in which the proxy reads headers: one character for each byte of its UTF-8. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** The value that `svc.proxy` resolves to. */
interface ProviderResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; any other body as text. */
  readonly data: unknown;
}

/** @throws ScriptCallError `answer_too_large` above 2 MiB, `provider_unreachable` if the response is interrupted */
async function readResponse({ status, headers: raw, body }: ProxyResponse): Promise<ProviderResponse> {
  const headers = joinedByName(raw);
  const text = await readText(body);
  return { status, headers, data: dataOf(headers['content-type'] ?? '', text) };
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_BYTES) break;
    }
  } catch (cause) {
    throw new ScriptCallError('provider_unreachable', 'the provider’s response was interrupted', { cause });
  }
  if (length > MAX_BYTES)
    throw new ScriptCallError('answer_too_large', `the provider’s response is larger than ${MAX_BYTES} bytes`);
  return Buffer.concat(chunks).toString('utf8');
}

function dataOf(type: string, text: string): unknown {
  if (!JSON_TYPE.test(type)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
