import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.ts';

const MAX_URL_LENGTH = 16 * 1024;
const MAX_FIELDS = 100;
/** Maximum length of the request target and its header fields together. */
const MAX_HEAD_BYTES = 32 * 1024;

/**
 * Returns the fault in a request's head that Node's parser does not detect; undefined when there is none.
 *
 * Runs before anything else, on the raw fields. Node joins or drops repeated fields when it builds `headers`, and accepts two
 * Host fields and a whole URL as target: two readers of one request could then disagree about it (RFC 9112 §3.2, §11.2).
 */
export function faultInHead(request: IncomingMessage): ServiceError | undefined {
  const target = request.url ?? '';
  return faultInTarget(target) ?? faultInFields(request);
}

export function uriTooLong(): ServiceError {
  return new ServiceError('uri_too_long', `the URL may have at most ${MAX_URL_LENGTH} characters`);
}

export function headersTooLarge(): ServiceError {
  return new ServiceError(
    'headers_too_large',
    `the head of a request may have at most ${MAX_FIELDS} header fields and ${MAX_HEAD_BYTES} bytes`,
  );
}

function faultInTarget(target: string): ServiceError | undefined {
  if (target.length > MAX_URL_LENGTH) return uriTooLong();
  // 0x2f is "/": this excludes a scheme, an authority and "*".
  if (target.charCodeAt(0) !== 0x2f || target.includes('#')) {
    return new ServiceError(
      'invalid_uri_params',
      'the request target must be a path that begins with "/", without host and fragment',
    );
  }
  return undefined;
}

function faultInFields(request: IncomingMessage): ServiceError | undefined {
  const fields = request.rawHeaders;
  if (fields.length > 2 * MAX_FIELDS) return headersTooLarge();
  let bytes = request.url?.length ?? 0;
  let hosts = 0;
  let authorizations = 0;
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] ?? '';
    const value = fields[at + 1] ?? '';
    bytes += name.length + value.length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
    const fault = faultInField(name, value, request);
    if (fault !== undefined) return new ServiceError('invalid_headers', fault);
  }
  if (bytes > MAX_HEAD_BYTES) return headersTooLarge();
  if (authorizations > 1) return new ServiceError('invalid_headers', 'a request may have only one Authorization header');
  return faultInHost(hosts, request);
}

/**
 * Checks the number of Host fields. HTTP/1.0 has no Host (RFC 9112 §3.2 requires it in 1.1 only), and plain health checks of load
 * balancers send none.
 */
function faultInHost(hosts: number, { httpVersion }: IncomingMessage): ServiceError | undefined {
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return undefined;
  return new ServiceError('invalid_headers', 'a request must have exactly one Host header');
}

/** Checks one field. It compares lengths first, since it runs for every field of every request. */
function faultInField(name: string, value: string, request: IncomingMessage): string | undefined {
  if (name.length === 4 && /[\s/@?#\\,]/.test(value) && name.toLowerCase() === 'host')
    return 'the Host header is not a host name';
  if (name.length === 9 && name === '__proto__') return 'a header may not be called __proto__';
  if (name.length !== 17 || name.toLowerCase() !== 'transfer-encoding') return undefined;
  // RFC 9112 §6.1: an HTTP/1.0 message with Transfer-Encoding has faulty framing; only the coding "chunked" is understood here.
  if (request.httpVersion !== '1.1' || value.toLowerCase() !== 'chunked')
    return 'the only supported transfer coding is "chunked", in HTTP/1.1';
  return undefined;
}
