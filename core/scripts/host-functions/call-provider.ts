import type { IncomingMessage, ServerResponse } from 'node:http';
import inject, { type Response } from 'light-my-request';
import { newRequestId } from '../../kit/random-id.ts';
import { proxyCall } from '../../proxy/proxy.ts';
import type { ScriptDeps } from '../deps.ts';
import { proxyDepsOf } from '../proxy-deps.ts';
import type { RunSubject } from '../subject.ts';
import { type ProviderAnswer, readAnswer } from './provider-answer.ts';
import { type ProviderRequest, readRequest } from './provider-request.ts';

interface Asked {
  readonly request: unknown;
  /** Ends with the run. */
  readonly signal: AbortSignal;
}

/**
 * A call by the same engine as everybody's, in this process: renewed credentials, retries, the guard of addresses and the
 * operation log are the same. Whose credentials, only the run says.
 *
 * @throws ScriptCallError `invalid_arguments`, `answer_too_large`, `provider_unreachable`; ServiceError as `proxyCall` does
 */
export async function callProvider(deps: ScriptDeps, subject: RunSubject, asked: Asked): Promise<ProviderAnswer> {
  const request = readRequest(asked.request);
  asked.signal.throwIfAborted();
  // Whoever waits for the answer leaves: when it is too large, when the run is over, or when it is complete.
  const left = new AbortController();
  const signal = AbortSignal.any([asked.signal, left.signal]);
  try {
    const answer = await passed(deps, subject, { request, signal });
    return await readAnswer({ status: answer.statusCode, headers: answer.headers }, answer.stream());
  } finally {
    left.abort();
  }
}

/** The head of the answer, with its body to come. */
function passed(
  deps: ScriptDeps,
  subject: RunSubject,
  { request, signal }: { readonly request: ProviderRequest; readonly signal: AbortSignal },
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const { environmentId, connectionId, providerConfigKey } = subject.connection;
  const named = { 'connection-id': latin1(connectionId), 'provider-config-key': latin1(providerConfigKey) };
  const dispatch = (incoming: IncomingMessage, response: ServerResponse) => {
    prepare(incoming, response, request.target);
    signal.addEventListener('abort', () => response.destroy(), { once: true });
    const call = { request: incoming, response, requestId: newRequestId(), environmentId, mayOverride: false };
    proxyCall(proxyDepsOf(deps, subject), call).catch((error: unknown) => {
      reject(error);
      response.destroy();
    });
  };
  const { method, headers, body } = request;
  const given = { method, url: '/', headers: { ...headers, ...named }, payloadAsStream: true } as const;
  inject(dispatch, { ...given, ...(body !== undefined && { payload: body }) }).then(resolve, reject);
  return promise;
}

/** What the library's request and response do not have of Node's. */
function prepare(request: IncomingMessage, response: ServerResponse, target: string): void {
  // Not given to the library, which mends URLs: the proxy judges what was written.
  request.url = target;
  request.complete = true;
  Object.assign(response.socket ?? {}, { resetAndDestroy: () => response.destroy() });
}

/** As the proxy reads headers: the bytes of UTF-8. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
