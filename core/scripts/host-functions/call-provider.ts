import { newRequestId } from '../../kit/random-id.ts';
import { readOptions } from '../../proxy/options.ts';
import { connectionSourceOf } from '../connection-source.ts';
import type { ScriptDeps } from '../deps.ts';
import type { RunSubject } from '../subject.ts';
import { readRequest } from './provider-request.ts';
import { type ProviderResponse, readResponse } from './provider-response.ts';

interface ScriptCall {
  readonly request: unknown;
  /** Ends with the run. */
  readonly signal: AbortSignal;
}

/**
 * A call through the proxy, like those of other callers: with renewed credentials, retries, the outbound guard and the operation
 * log. The connection is always the run's.
 *
 * @throws ScriptCallError `invalid_arguments`, `answer_too_large`, `provider_unreachable`; ServiceError of the proxy
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

/** As the proxy reads headers: the bytes of UTF-8. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
