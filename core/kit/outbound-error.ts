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
/**
 * Maximum size of the head of a response. It is large because some providers send many cookies, or a long policy for browsers.
 */
export const MAX_HEAD_BYTES = 64 * 1024;
const MAX_CAUSES = 10;

interface FailureStage {
  readonly beforeSending?: boolean;
}

interface FailureFacts extends FailureStage {
  readonly fault?: string | undefined;
}

/** The error for a call that was not sent or has failed. The message never holds a URL's query, a header or a body. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: 'address_not_allowed' | 'unreachable' | 'timeout' | 'too_large';
  /**
   * True when it is certain that no part of the request was sent, because the address was refused, or name look-up, dialling or
   * the TLS handshake failed. If false, the server may have carried out the request.
   */
  readonly beforeSending: boolean;
  /** The code of the system, of Node or of TLS, such as `ECONNREFUSED`; undefined when there is none. */
  readonly fault: string | undefined;

  constructor(code: OutboundError['code'], message: string, options: ErrorOptions & FailureFacts = {}) {
    super(message, options);
    this.code = code;
    this.fault = options.fault;
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

/** Creates the error for a call whose deadline has passed, or which its caller has aborted by a signal. */
export function gaveUp(stage: FailureStage = {}): OutboundError {
  return new OutboundError('timeout', 'the call timed out or was aborted', stage);
}

/**
 * Converts an error of undici, Node's HTTP client or TLS to an OutboundError; if an OutboundError is among its causes, that one
 * is returned. The original error does not become the cause, since a parser's error carries the bytes of the response, which may
 * echo a secret.
 *
 * @param stage whether it is certain that nothing was sent. Only the place where the error is caught shows that, not its code: a
 *   TLS alert, for example, may also follow the request
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
  return new OutboundError('unreachable', `no usable response: ${words[1] ?? 'unknown fault'}`, {
    ...stage,
    fault: codeIn(chain),
  });
}

/** Returns the code of the deepest cause that has one: those above it only pass it on. */
function codeIn(chain: readonly Error[]): string | undefined {
  const code = chain.flatMap((cause) => ('code' in cause && typeof cause.code === 'string' ? [cause.code] : [])).at(-1);
  return code !== undefined && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined;
}

function causes(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < MAX_CAUSES; cause = cause.cause) chain.push(cause);
  return chain;
}
