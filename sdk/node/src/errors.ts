import type { components } from './generated.ts';

type ErrorBody = components['schemas']['Error'];

/** The reason why a call failed: an error code of the service (`docs/errors.md`), or one that only this client uses. */
export type ErrorCode = ErrorBody['error']['code'] | 'timeout' | 'unreachable' | 'unexpected_response';

/** A fault in one field of a request. */
export type ErrorDetail = NonNullable<ErrorBody['error']['errors']>[number];

interface SvcErrorOptions extends ErrorOptions {
  readonly status?: number | undefined;
  readonly errors?: readonly ErrorDetail[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** The error of a failed call. Match on `code`: messages are for people and may change. */
export class SvcError extends Error {
  override readonly name: string = 'SvcError';
  readonly code: ErrorCode;
  /** The HTTP status; undefined if there was no response (codes `timeout` and `unreachable`). */
  readonly status: number | undefined;
  /** One entry for each invalid field of the request. */
  readonly errors: readonly ErrorDetail[];
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    { status, errors = [], requestId, retryAfterSeconds, ...rest }: SvcErrorOptions = {},
  ) {
    super(message, rest);
    this.code = code;
    this.status = status;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The error for credentials that no longer work and that only the user can replace: offer the user a reconnect session. */
export class InvalidCredentialsError extends SvcError {
  override readonly name = 'InvalidCredentialsError';
}

/** Converts an error response. It may come from an intermediary, so its body can have any form. */
export async function errorOf(response: Response): Promise<SvcError> {
  const text = await response.text();
  const { status, headers } = response;
  const facts = {
    status,
    requestId: headers.get('svc-request-id') ?? undefined,
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
  };
  const body = parseError(text);
  if (body === undefined)
    return new SvcError('unexpected_response', `the response with status ${status} is not from the service`, facts);
  const { code, message, errors } = body.error;
  const Kind = code === 'invalid_credentials' ? InvalidCredentialsError : SvcError;
  return new Kind(code, message, { ...facts, errors });
}

function parseError(text: string): ErrorBody | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isErrorBody(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' && 'message' in error;
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}
