import type { components } from './generated.ts';

type ErrorBody = components['schemas']['Error'];

/** Why a call failed: a code of the service's table (`docs/errors.md`), or one of those that this client gives itself. */
export type ErrorCode = ErrorBody['error']['code'] | 'timeout' | 'unreachable' | 'unexpected_answer';

/** What is wrong with one member of a request. */
export type ErrorDetail = NonNullable<ErrorBody['error']['errors']>[number];

interface SvcErrorOptions extends ErrorOptions {
  readonly status?: number | undefined;
  readonly errors?: readonly ErrorDetail[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** A call that failed. Match on `code`: messages are for people and may change. */
export class SvcError extends Error {
  override readonly name: string = 'SvcError';
  readonly code: ErrorCode;
  /** Undefined where there was no answer: codes `timeout` and `unreachable`. */
  readonly status: number | undefined;
  /** One for each member of the request that is wrong. */
  readonly errors: readonly ErrorDetail[];
  /** Names the request in the log of the service. */
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

/** The credentials of a connection work no more, and only its user can renew them: offer a reconnect session. */
export class InvalidCredentialsError extends SvcError {
  override readonly name = 'InvalidCredentialsError';
}

/** Reads an answer that is an error; something in between may have given it, in any form. */
export async function errorOf(response: Response): Promise<SvcError> {
  const text = await response.text();
  const { status, headers } = response;
  const facts = {
    status,
    requestId: headers.get('svc-request-id') ?? undefined,
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
  };
  const body = parseError(text);
  if (body === undefined) return new SvcError('unexpected_answer', `the answer ${status} is not one of the service`, facts);
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
