const TIMEOUTS = new Set([
  'TimeoutError',
  'AbortError',
  'ETIMEDOUT',
  'UND_ERR_ABORTED',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);
const HEAD_TOO_LARGE = new Set(['HPE_HEADER_OVERFLOW', 'UND_ERR_HEADERS_OVERFLOW']);
/** Maximum size of the head of a response. Some providers send a page of cookies, or a long policy for browsers. */
export const MAX_HEAD_BYTES = 64 * 1024;
const MAX_CAUSES = 10;

interface FailureStage {
  readonly beforeSending?: boolean;
}

/** The error for a call that was not sent or has failed. The message never holds a URL's query, a header or a body. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: 'address_not_allowed' | 'unreachable' | 'timeout' | 'too_large';
  /**
   * True when it is certain that nothing was sent: the address was refused, or name look-up, dialling or the TLS handshake
   * failed. False: the request may have been carried out.
   */
  readonly beforeSending: boolean;

  constructor(code: OutboundError['code'], message: string, options: ErrorOptions & FailureStage = {}) {
    super(message, options);
    this.code = code;
    this.beforeSending = options.beforeSending ?? code === 'address_not_allowed';
  }
}

/**
 * Creates the error for every refused address. There is only one message: it must not reveal which ports of a private host are
 * open, nor what a name resolves to.
 */
export function addressNotAllowed(): OutboundError {
  return new OutboundError('address_not_allowed', 'the address is not allowed');
}

/** Creates the error for a call whose deadline has passed, or whose caller's own signal has aborted. */
export function gaveUp(stage: FailureStage = {}): OutboundError {
  return new OutboundError('timeout', 'the call timed out or was aborted', stage);
}

/**
 * Converts an error of undici, Node's HTTP client or TLS to an OutboundError; an OutboundError among its causes is returned
 * itself. The original does not become the cause: a parser's error carries the bytes of the response, which may echo a secret.
 *
 * @param stage whether it is certain that nothing was sent; no error code shows that (a TLS alert may follow the request), only
 *   the place where the error is caught does
 */
export function toOutboundError(error: unknown, stage: FailureStage = {}): OutboundError {
  const chain = causes(error);
  const existing = chain.find((cause) => cause instanceof OutboundError);
  if (existing !== undefined) return existing;

  const words = chain.flatMap((cause) => [cause.name, 'code' in cause ? String(cause.code) : cause.name]);
  if (words.some((word) => TIMEOUTS.has(word))) return gaveUp(stage);
  if (words.some((word) => HEAD_TOO_LARGE.has(word)))
    return new OutboundError('too_large', `the response headers are larger than ${MAX_HEAD_BYTES / 1024} kB`);
  if (words.includes('ERR_BUFFER_TOO_LARGE')) return new OutboundError('too_large', 'the response is too large');
  return new OutboundError('unreachable', `no usable response: ${words[1] ?? 'unknown fault'}`, stage);
}

function causes(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < MAX_CAUSES; cause = cause.cause) chain.push(cause);
  return chain;
}
