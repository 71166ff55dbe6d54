import { ServiceError } from '../errors.ts';
import { httpSpan, setStatus } from '../kit/http-span.ts';
import { beginSpan, errorTypeOf, type Span, type SpanStart, type Tracer, traceHeaders } from '../kit/tracing.ts';
import type { ProxyRequest } from './message.ts';
import type { RawHeaders } from './raw-headers.ts';
import { withoutNames } from './request-headers.ts';
import type { ResolvedUpstream } from './resolve.ts';
import type { UpstreamResponse } from './send.ts';

/**
 * Makes an attempt of a proxied call in a span of its own, which ends with the body of the response, or immediately if there is
 * none.
 *
 * @param attempt gets the caller's headers with the span's context in place of the caller's, so that what signs headers covers it
 */
export async function inAttemptSpan<T extends UpstreamResponse | ServiceError>(
  tracer: Tracer,
  { request, resolved }: { readonly request: ProxyRequest; readonly resolved: ResolvedUpstream },
  attempt: (headers: RawHeaders) => Promise<T>,
): Promise<T> {
  const { method, headers, signal } = request;
  const span = beginSpan(tracer, spanOf(method, resolved));
  const endWith = (errorType: string) => {
    span.fail(errorType);
    span.end();
  };
  try {
    const result = await attempt(carrying(headers, span));
    if (result instanceof ServiceError) endWith(result.code);
    else endWithBody(span, result);
    return result;
  } catch (error) {
    endWith(signal.aborted ? 'disconnected' : errorTypeOf(error));
    throw error;
  }
}

function spanOf(method: string, { upstream, target }: ResolvedUpstream): SpanStart {
  const attributes = { 'svc.provider': upstream.integration.provider };
  return httpSpan({ kind: 'client', method, origin: new URL(target.origin), attributes });
}

function carrying(headers: RawHeaders, { context }: Span): RawHeaders {
  if (context === undefined) return headers;
  const own = Object.entries(traceHeaders(context)).flat();
  return [...withoutNames(headers, ['traceparent', '', 'tracestate', '']), ...own];
}

function endWithBody(span: Span, { status, body }: UpstreamResponse): void {
  setStatus(span, status, { failsFrom: 400 });
  body.once('close', () => {
    if (!body.readableEnded) span.fail('interrupted');
    span.end();
  });
}
