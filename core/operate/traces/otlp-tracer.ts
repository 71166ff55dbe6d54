import { setTimeout as pause } from 'node:timers/promises';
import type * as otel from '@opentelemetry/api';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import type { Config } from '../../config/schema.ts';
import type { TracesConfig } from '../../config/traces.ts';
import { portOf } from '../../kit/address-guard.ts';
import type { Logger } from '../../kit/logger.ts';
import { createOutbound, type Outbound } from '../../kit/outbound.ts';
import {
  type Span,
  type SpanAttributes,
  type SpanStart,
  type TraceContext,
  type Tracer,
  traceHeaders,
} from '../../kit/tracing.ts';
import { outboundProxyOf } from '../outbound-proxy.ts';
import type { Packages } from './packages.ts';
import { ReportingExporter } from './reporting-exporter.ts';

/** How long the shutdown waits for the last export. Together with everything else it must fit into the deadline of the process. */
const FLUSH_MS = 2_000;

interface TracerOptions {
  readonly config: Config;
  readonly traces: TracesConfig;
  readonly version: string;
  readonly log: Logger;
}

/**
 * Creates spans with the official packages and exports them to one collector. Nothing is registered for the whole process:
 * `kit/tracing.ts` knows the active span.
 */
export class OtlpTracer implements Tracer, AsyncDisposable {
  readonly #packages: Packages;
  readonly #outbound: Outbound;
  readonly #provider: TracerProvider;
  readonly #tracer: otel.Tracer;
  readonly #contexts: TraceContexts;

  constructor(packages: Packages, options: TracerOptions) {
    const { version, config, traces, log } = options;
    const url = new URL(traces.url);
    const collector = `${url.hostname}:${portOf(url)}`;
    this.#packages = packages;
    // Collectors are usually on private addresses. This one is allowed here alone, not to scripts and webhooks.
    this.#outbound = createOutbound({ allow: [collector], proxy: outboundProxyOf(config), log });
    const outbound = this.#outbound;
    const { OTLPTraceExporter } = packages.exporter;
    const otlp = new OTLPTraceExporter({ url: traces.url, httpAgentOptions: (protocol) => outbound.agent(protocol) });
    const exporter = new ReportingExporter(packages.core, { exporter: otlp, collector, log });
    this.#provider = new packages.sdk.TracerProvider({
      resource: resourceOf(packages, version),
      sampler: samplerOf(packages, traces.sampler),
      spanProcessors: [new packages.sdk.BatchSpanProcessor({ exporter, ...withoutUndefined(traces.batch) })],
    });
    this.#tracer = this.#provider.getTracer('svc', version);
    this.#contexts = new TraceContexts(packages);
  }

  begin({ name, kind, attributes = {}, parent }: SpanStart): Span {
    const { SpanKind } = this.#packages.api;
    const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, this.#contexts.read(parent));
    return new OtlpSpan(span, this.#contexts);
  }

  /** Exports what has not been exported yet, for two seconds at most. */
  async [Symbol.asyncDispose](): Promise<void> {
    const flushed = this.#provider.shutdown().catch(() => undefined);
    await Promise.race([flushed, pause(FLUSH_MS, undefined, { ref: false })]);
    await this.#outbound[Symbol.asyncDispose]();
  }
}

class OtlpSpan implements Span {
  readonly span: otel.Span;
  readonly #contexts: TraceContexts;

  constructor(span: otel.Span, contexts: TraceContexts) {
    this.span = span;
    this.#contexts = contexts;
  }

  get context(): TraceContext | undefined {
    return this.#contexts.write(this.span);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes);
  }

  fail(errorType: string): void {
    // The name of the attribute is that of the semantic conventions ("Recording errors").
    this.span.setAttribute('error.type', errorType).setStatus({ code: 2 satisfies otel.SpanStatusCode.ERROR });
  }

  end(): void {
    this.span.end();
  }
}

/** Converts contexts between the form of OpenTelemetry and that of headers and rows. */
class TraceContexts {
  readonly #api: Packages['api'];
  readonly #propagator: InstanceType<Packages['core']['W3CTraceContextPropagator']>;

  constructor({ api, core }: Packages) {
    this.#api = api;
    this.#propagator = new core.W3CTraceContextPropagator();
  }

  /** A context that is not valid begins a new trace (W3C Trace Context §4.3). */
  read(parent: SpanStart['parent']): otel.Context {
    const { ROOT_CONTEXT, trace, defaultTextMapGetter } = this.#api;
    if (parent instanceof OtlpSpan) return trace.setSpan(ROOT_CONTEXT, parent.span);
    if (typeof parent !== 'string') return ROOT_CONTEXT;
    return this.#propagator.extract(ROOT_CONTEXT, traceHeaders(parent), defaultTextMapGetter);
  }

  write(span: otel.Span): TraceContext | undefined {
    const { ROOT_CONTEXT, trace, defaultTextMapSetter } = this.#api;
    const headers: { traceparent?: string; tracestate?: string } = {};
    this.#propagator.inject(trace.setSpan(ROOT_CONTEXT, span), headers, defaultTextMapSetter);
    const { traceparent, tracestate } = headers;
    return tracestate ? `${traceparent} ${tracestate}` : traceparent;
  }
}

/** Describes this process. Variables such as `OTEL_SERVICE_NAME`, which the packages read, take precedence. */
function resourceOf({ resources }: Packages, version: string) {
  const { defaultResource, detectResources, resourceFromAttributes, ...detectors } = resources;
  const { serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector } = detectors;
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'svc', 'service.version': version }))
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector] }));
}

function samplerOf({ sdk }: Packages, { root, isParentBased, ratio }: TracesConfig['sampler']) {
  const { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } = sdk;
  const own = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[root]();
  return isParentBased ? new ParentBasedSampler({ root: own }) : own;
}

function withoutUndefined(values: TracesConfig['batch']): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
