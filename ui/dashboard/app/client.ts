import { parseJson } from '../../../core/kit/exact-json.ts';
import { ApiError, factsOf } from '../../kit/api-error.ts';

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ClientOptions {
  /** Of the service, with a slash at its end. */
  readonly base: string;
  readonly fetch: typeof fetch;
  /** The session is over, or there was none. */
  readonly onSignedOut: () => void;
  /** A second factor is required by now. */
  readonly onFactorNeeded: () => void;
  /** Asks for the password or the second factor again. @returns false: the person would rather not */
  readonly confirm: () => Promise<boolean>;
}

/** The service, as it answers its dashboard. Every method throws an ApiError, whose `code` is the service's own. */
export interface Client {
  read<T>(path: string, signal?: AbortSignal): Promise<T>;
  /** @param body JSON, unless it is a form with files @returns undefined where the response has no body */
  send<T>(method: Method, path: string, body?: object | FormData): Promise<T>;
  /** @param after ID of the last event that is known; empty: none */
  stream(path: string, after: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

export function createClient(options: ClientOptions): Client {
  return {
    read: async (path, signal) => jsonOf(await call(options, path, signal === undefined ? {} : { signal })),
    async send(method, path, body) {
      // A page of another site cannot send this header: browsers would ask the service first.
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
  // A wrong password is 401, too.
  if (code === 'signed_out') onSignedOut();
  if (code === 'factor_needed') onFactorNeeded();
  throw new ApiError(code, facts);
}

async function jsonOf<T>(response: Response): Promise<T> {
  return response.status === 204 ? (undefined as T) : parseJson(await response.text());
}
