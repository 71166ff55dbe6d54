import { AsyncLocalStorage } from 'node:async_hooks';
import { errorCode } from './error-code.ts';

/**
 * The place of a span in its trace, as rows hold it: the value of the header `traceparent`, then, after a space, that of
 * `tracestate` if there is one (W3C Trace Context §3). Others may read it, so it holds nothing but IDs, a flag and what callers
 * have put into `tracestate`.
 */
export type TraceContext = string;

/** Values that are exported with a span. They must not come from paths, queries, headers, bodies, accounts or connections. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanStart {
  /** Few different names: what varies belongs into the attributes. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
  /** The span that caused the work, or the context of one that may be another process's. Default: the active span. */
  readonly parent?: Span | TraceContext | null | undefined;
}

/** A piece of work with its duration. */
export interface Span {
  /** Undefined while traces are off. */
  readonly context: TraceContext | undefined;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the work as failed. @param errorType one of few words, such as an error code: never a message */
  fail(errorType: string): void;
  end(): void;
}

/** Creates spans. Parts of the service have none while traces are off. */
export interface Tracer {
  begin(start: SpanStart): Span;
}

const NO_SPAN: Span = { context: undefined, rename() {}, set() {}, fail() {}, end() {} };

const active = new AsyncLocalStorage<Span>();

/** Begins a span, which the caller ends. Without a parent it belongs to the active span. */
export function beginSpan(tracer: Tracer | undefined, start: SpanStart): Span {
  if (tracer === undefined) return NO_SPAN;
  return tracer.begin({ ...start, parent: start.parent ?? active.getStore() });
}

/** Runs `work` as a part of this span: spans that begin in it are its children, and rows that it stores continue its trace. */
export function within<T>(span: Span, work: () => T): T {
  return span === NO_SPAN ? work() : active.run(span, work);
}

/** Runs `work` in a new span, which ends with it. */
export async function inSpan<T>(tracer: Tracer | undefined, start: SpanStart, work: (span: Span) => T | Promise<T>): Promise<T> {
  if (tracer === undefined) return work(NO_SPAN);
  const span = beginSpan(tracer, start);
  try {
    return await active.run(span, () => work(span));
  } catch (error) {
    span.fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Runs `work` as a part of no span, such as the other end of a network connection within this process. */
export function outsideSpans<T>(work: () => T): T {
  return active.exit(work);
}

/** Returns the active span; one that does nothing if there is none. It is not to be called in event handlers (see `actAs`). */
export function currentSpan(): Span {
  return active.getStore() ?? NO_SPAN;
}

/** Returns the context of the active span, to be stored with work that it causes; undefined if there is none. */
export function currentTrace(): TraceContext | undefined {
  return active.getStore()?.context;
}

/** Returns the headers that carry a context to another service. */
export function traceHeaders(context: TraceContext): { readonly traceparent: string; readonly tracestate?: string } {
  const [traceparent = '', tracestate] = splitContext(context);
  return { traceparent, ...(tracestate !== undefined && { tracestate }) };
}

function splitContext(context: TraceContext): readonly string[] {
  const at = context.indexOf(' ');
  return at === -1 ? [context] : [context.slice(0, at), context.slice(at + 1)];
}

/** The errors whose codes are from short lists in this repository. Plugins and libraries choose theirs freely. */
const CODED: ReadonlySet<string> = new Set(['OutboundError', 'ServiceError']);

/** Returns the word that says how work has failed: the code of an error of the service. */
export function errorTypeOf(error: unknown): string {
  return (error instanceof Error && CODED.has(error.name) ? errorCode(error) : undefined) ?? 'error';
}
