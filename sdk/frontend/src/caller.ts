import { AuthError, type FieldError } from './auth-error.ts';

/** Calls the service with the token of a connect session. */
export interface Caller {
  readonly host: string;
  readonly token: string;
}

export interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string; readonly errors?: readonly FieldError[] };
}

/** Codes of the service in the words of `AuthError`. */
const CODES: Readonly<Record<string, string>> = {
  unknown_connect_session_token: 'session_expired',
  forbidden: 'origin_not_allowed',
  too_many_request: 'rate_limited',
};

/** @throws AuthError for every response that is no success, and where there is none */
export async function send({ host, token }: Caller, path: string, { body, headers, ...rest }: Call = {}): Promise<Response> {
  const response = await fetch(host + path, {
    ...rest,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    // `undefined` stays what it is.
    body: JSON.stringify(body),
  }).catch((cause) => {
    throw new AuthError(navigator.onLine ? 'server_error' : 'offline', '', { cause });
  });
  if (!response.ok) throw errorOf(await response.json().catch(() => ({})));
  return response;
}

/** @returns the `data` of the response */
export async function call<T>(caller: Caller, path: string, options?: Call): Promise<T> {
  const response = await send(caller, path, options);
  return ((await response.json()) as { data: T }).data;
}

function errorOf({ error: { code = 'server_error', message, errors = [] } = {} }: ErrorBody): AuthError {
  const fields = errors.filter(({ path }) => /^(params|cred)/.test(String(path[0])));
  if (fields[0]) return new AuthError('field_invalid', message, { fields });
  const known = CODES[code];
  // The detail tells why a session does not count any more.
  return new AuthError(known ? (errors[0]?.code ?? known) : code, message);
}
