import { portOf } from './address-guard.ts';
import type { Span, SpanAttributes, SpanStart } from './tracing.ts';

/** The methods of RFC 9110 §9, and PATCH (RFC 5789); callers choose others, which would be names without bound. */
const METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  ...['CONNECT', 'OPTIONS', 'TRACE', 'PATCH'],
]);

interface HttpCall {
  readonly kind: 'server' | 'client';
  readonly method: string;
  /** The server that is called. Its path and query are not used. */
  readonly origin: Pick<URL, 'protocol' | 'hostname' | 'port'>;
  readonly attributes?: SpanAttributes;
}

/** Returns the beginning of a span for an HTTP call (OpenTelemetry semantic conventions 1.45, "HTTP spans"). */
export function httpSpan({ kind, method, origin, attributes }: HttpCall): SpanStart {
  const isKnown = METHODS.has(method);
  const called = {
    'http.request.method': isKnown ? method : '_OTHER',
    'server.address': origin.hostname.replace(/^\[(.*)\]$/, '$1'),
    'server.port': portOf(origin),
  };
  return { kind, name: isKnown ? method : 'HTTP', attributes: { ...called, ...attributes } };
}

/** Sets the status of the response. The conventions count 5xx as failures of either side, 4xx as failures of the client. */
export function setStatus(span: Span, status: number, { failsFrom }: { readonly failsFrom: 400 | 500 }): void {
  span.set({ 'http.response.status_code': status });
  if (status >= failsFrom) span.fail(String(status));
}
