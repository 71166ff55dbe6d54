import { AuthError, type AuthErrorCode, type FieldError } from './auth-error.ts';

/** The service, and the token of a connect session with which it is called. */
export interface Caller {
  readonly host: string;
  readonly token: string;
}

export interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Number of times that the call is repeated if there is no response. Default: 0. */
  readonly retries?: number;
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string; readonly errors?: readonly FieldError[] };
}

const PAUSE_MS = 2_000;

/** Codes of `AuthError` by the status of a response. All other statuses are faults of the service. */
const CODES: Readonly<Record<number, AuthErrorCode>> = {
  400: 'integration_unavailable',
  401: 'session_expired',
  403: 'integration_unavailable',
  404: 'integration_unavailable',
  409: 'state_mismatch',
  429: 'rate_limited',
};

/** Sends a request. @throws AuthError for every unsuccessful response, and if there is no response */
export async function send({ host, token }: Caller, path: string, { body, headers, ...rest }: Call = {}): Promise<Response> {
  const response = await fetch(host + path, {
    ...rest,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    // `undefined` stays `undefined`, which means that there is no body.
    body: JSON.stringify(body),
  }).catch((cause) => {
    throw new AuthError(navigator.onLine ? 'server_error' : 'offline', '', { cause });
  });
  if (!response.ok) throw errorOf(await response.json().catch(() => ({})), response);
  return response;
}

/** Sends a request, and repeats it if that may help. @returns the `data` of the response */
export async function call<T>(caller: Caller, path: string, options: Call = {}): Promise<T> {
  const { retries = 0, signal } = options;
  try {
    return (await (await send(caller, path, options)).json()).data;
  } catch (error) {
    if (!retries || signal?.aborted || !isPassing(error as Error)) throw error;
    await pause();
    return call(caller, path, { ...options, retries: retries - 1 });
  }
}

export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/**
 * Returns whether a repeated call may succeed: the service was not reached, is restarting, has no database, or was called too
 * often. A call that it refused for another reason would be refused again.
 */
function isPassing({ cause }: Error): boolean {
  return !(cause instanceof Response && cause.status < 500) || cause.status === 429;
}

function errorOf({ error: { message, errors = [] } = {} }: ErrorBody, cause: Response): AuthError {
  const fields = errors.filter(({ path }) => /^(params|cred)/.test(String(path)));
  // The status says only that the session was refused; an error detail says why.
  const detail = errors.find((error) => /^(session|origin)_/.test(error.code))?.code;
  return new AuthError(fields[0] ? 'field_invalid' : (detail ?? CODES[cause.status] ?? 'server_error'), message, {
    fields,
    cause,
  });
}
