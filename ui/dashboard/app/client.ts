import { parseJson } from '../../../core/kit/exact-json.ts';
import { ApiError, factsOf } from '../../kit/api-error.ts';

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ClientOptions {
  /** The base URL of the service, with a slash at its end. */
  readonly base: string;
  readonly fetch: typeof fetch;
  /** Called when the session has ended, or there was none. */
  readonly onSignedOut: () => void;
  /** Called when the service has begun to require a second factor. */
  readonly onFactorNeeded: () => void;
  /** Asks for the password or the second factor again. @returns false when the user cancels */
  readonly confirm: () => Promise<boolean>;
}

/**
 * A client of the service's private interface. If a call fails, the method throws an ApiError, whose `code` is the service's
 * error code.
 */
export interface Client {
  read<T>(path: string, signal?: AbortSignal): Promise<T>;
  /** @param body sent as JSON, unless it is a form with files @returns undefined when the response has no body */
  send<T>(method: Method, path: string, body?: object | FormData): Promise<T>;
  /** @param after ID of the last event that is known; empty when none is */
  stream(path: string, after: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

export function createClient(options: ClientOptions): Client {
  return {
    read: async (path, signal) => jsonOf(await call(options, path, signal === undefined ? {} : { signal })),
    async send(method, path, body) {
      // Protects against requests forged by pages of other sites: before such a page may send this header, the browser asks the
      // service for permission (a CORS preflight).
      const isJson = body !== undefined && !(body instanceof FormData);
      const headers = { 'x-svc-ui': '1', ...(isJson && { 'content-type': 'application/json' }) };
      const request = {
        method,
        headers,
        ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
      };
      try {
        return await jsonOf(await call(options, path, request));
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'password_needed') throw error;
        if (!(await options.confirm())) throw error;
        return jsonOf(await call(options, path, request));
      }
    },
    async stream(path, after, signal) {
      const headers = { accept: 'text/event-stream', ...(after !== '' && { 'last-event-id': after }) };
      const { body } = await call(options, path, { headers, signal });
      if (body === null) throw new ApiError('server_error', { status: 0 });
      return body;
    },
  };
}

async function call(
  { base, fetch, onSignedOut, onFactorNeeded }: ClientOptions,
  path: string,
  init: RequestInit,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(base + path, { cache: 'no-store', credentials: 'same-origin', ...init });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError('no_response', { status: 0 });
  }
  if (response.ok) return response;
  const { code, ...facts } = await factsOf(response);
  // The error code decides, not the status, since a wrong password is also answered with 401.
  if (code === 'signed_out') onSignedOut();
  if (code === 'factor_needed') onFactorNeeded();
  throw new ApiError(code, facts);
}

async function jsonOf<T>(response: Response): Promise<T> {
  return response.status === 204 ? (undefined as T) : parseJson(await response.text());
}
