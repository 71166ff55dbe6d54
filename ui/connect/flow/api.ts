import { ApiError, errorOf } from '../../kit/api-error.ts';
import type { ConnectForm, Flow, NewFlow, Session } from '../../kit/wire.ts';

/**
 * Pauses before a call that got no response is repeated. Repeating is safe, since calls that change something carry a flow's ID.
 */
const PAUSES_MS = [400, 1_500, 4_000];

export interface ApiOptions {
  /** The URL of the service, with a slash at its end. */
  readonly base: string;
  readonly token: () => string;
  /** The origin of the page that embeds the window; undefined if the window is itself a page. */
  readonly embedOrigin?: string | undefined;
  readonly fetch: typeof fetch;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Resolves immediately if there is a network, otherwise as soon as there is one again. */
  readonly online: () => Promise<void>;
}

interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly keepalive?: boolean;
}

export interface Api {
  session(): Promise<Session>;
  form(key: string): Promise<ConnectForm>;
  createFlow(flow: NewFlow, signal: AbortSignal): Promise<Flow>;
  flow(id: string, signal?: AbortSignal): Promise<Flow>;
  /** Opens the event stream of a flow. @param after version of the last known state */
  events(id: string, after: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  cancel(id: string): Promise<void>;
  choose(id: string, option: string): Promise<void>;
}

/** Creates a client that calls the service with a connect session's token. If a call fails, the method throws an ApiError. */
export function createApi(options: ApiOptions): Api {
  const flowPath = (id: string) => `connect/flows/${encodeURIComponent(id)}`;
  const read = async <T>(path: string, call: Call = {}) => dataOf<T>(await patiently(options, path, call));
  return {
    session: () => read('connect/session'),
    form: (key) => read(`connect/integrations/${encodeURIComponent(key)}`),
    createFlow: (body, signal) =>
      read<Flow>('connect/flows', { method: 'POST', body, signal }).catch((error) => Promise.reject(lostAnswer(error, body))),
    flow: async (id, signal) => dataOf(await send(options, flowPath(id), signal === undefined ? {} : { signal })),
    async events(id, after, signal) {
      const headers = { 'last-event-id': String(after), accept: 'text/event-stream' };
      const { body } = await send(options, `${flowPath(id)}/events`, { headers, signal });
      if (body === null) throw new ApiError('server_error', { status: 0 });
      return body;
    },
    // `keepalive`, since the window may be closing, which would otherwise abort the call.
    cancel: async (id) => void (await send(options, flowPath(id), { method: 'DELETE', keepalive: true })),
    choose: async (id, option) =>
      void (await patiently(options, `${flowPath(id)}/choice`, { method: 'POST', body: { id: option } })),
  };
}

async function dataOf<T>(response: Response): Promise<T> {
  return ((await response.json()) as { data: T }).data;
}

/** Sends a call as soon as there is a network. If the service does not respond, repeats the call after a pause. */
async function patiently(options: ApiOptions, path: string, call: Call): Promise<Response> {
  for (let failures = 0; ; failures += 1) {
    try {
      await options.online();
      return await send(options, path, call);
    } catch (error) {
      const pauseMs = PAUSES_MS[failures];
      if (!(error instanceof ApiError) || !isPassing(error) || pauseMs === undefined) throw error;
      await options.pause(pauseMs, call.signal);
    }
  }
}

/** Returns whether an error may be temporary: there was no response, or it came from an intermediary, not the service. */
function isPassing({ status }: ApiError): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504;
}

/** Returns the error of a flow that could not be created. If its answer is lost, entered credentials may have been stored. */
function lostAnswer(error: unknown, { credentials }: NewFlow): unknown {
  const isLost = credentials !== undefined && error instanceof ApiError && isPassing(error);
  return isLost ? new ApiError('outcome_unknown', { status: error.status, requestId: error.requestId }) : error;
}

async function send(options: ApiOptions, path: string, { body, headers, ...rest }: Call): Promise<Response> {
  const { base, embedOrigin, token } = options;
  let response: Response;
  try {
    response = await options.fetch(base + path, {
      ...rest,
      cache: 'no-store',
      credentials: 'same-origin',
      headers: {
        // Encoded, since a token in a forged link may contain any character, but a header must not.
        authorization: `Bearer ${encodeURIComponent(token())}`,
        ...(embedOrigin !== undefined && { 'x-svc-embed-origin': embedOrigin }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    if (rest.signal?.aborted) throw cause;
    throw new ApiError('offline', { status: 0 });
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}
