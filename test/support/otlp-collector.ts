import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { sweep } from './canaries.ts';
import { close, type LoopbackServer, serve } from './loopback-server.ts';
import { readFields } from './protobuf.ts';
import { until } from './until.ts';

const KINDS = ['', 'internal', 'server', 'client'] as const;

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentId: string;
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly hasFailed: boolean;
  readonly state: string;
  /** Attributes of the process that made the span. */
  readonly resource: Readonly<Record<string, string | number>>;
}

/** A collector of OpenTelemetry that accepts OTLP over HTTP, in protobuf (opentelemetry-proto 1.9, `trace/v1/trace.proto`). */
export class OtlpCollector implements AsyncDisposable {
  readonly #server: LoopbackServer;
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: Buffer }[] = [];
  /** What it does with an export: takes it, responds with a status, or never responds. */
  behaviour: 'take' | 'hang' | number = 'take';

  private constructor(started: (handler: (request: IncomingMessage, response: ServerResponse) => void) => LoopbackServer) {
    this.#server = started((request, response) => void this.#receive(request, response));
  }

  static async start(): Promise<OtlpCollector> {
    let receive: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
    const server = await serve((request, response) => receive?.(request, response));
    return new OtlpCollector((handler) => {
      receive = handler;
      return server;
    });
  }

  get url(): string {
    return this.#server.url;
  }

  /** Variables of a service that exports its spans here, soon after they end. */
  get env(): Readonly<Record<string, string>> {
    return { OTEL_EXPORTER_OTLP_ENDPOINT: this.url, OTEL_BSP_SCHEDULE_DELAY: '20' };
  }

  get spans(): readonly ReceivedSpan[] {
    return this.requests.flatMap(({ body }) => spansOf(body));
  }

  /** Returns the first span that fits, once it has been received. */
  async span(what: string, fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
    await until(`the collector has ${what}`, () => this.spans.some(fits));
    return this.spans.find(fits) as ReceivedSpan;
  }

  /** Asserts that nothing that was received holds a secret of a test. */
  assertNoSecrets(): void {
    const hits = sweep({ spans: this.requests.map(({ body }) => body), targets: this.requests.map(({ url }) => url) });
    if (hits.length > 0) throw new Error(`secrets were exported: ${JSON.stringify(hits)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await close(this.#server.server);
    this.assertNoSecrets();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', headers } = request;
    const sent = await buffer(request);
    const { behaviour } = this;
    this.requests.push({ url, headers, body: headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent });
    if (behaviour === 'hang') return;
    // A collector may repeat what it got, even the headers.
    response.writeHead(behaviour === 'take' ? 200 : behaviour, { 'content-type': 'application/x-protobuf' });
    response.end(behaviour === 'take' ? '' : JSON.stringify(headers));
  }
}

function spansOf(body: Buffer): ReceivedSpan[] {
  return readFields(body)
    .all(1)
    .flatMap((resourceSpans) => {
      const fields = readFields(resourceSpans);
      const resource = fields.all(1).flatMap((one) => readFields(one).all(1));
      return fields
        .all(2)
        .flatMap((scopeSpans) => readFields(scopeSpans).all(2))
        .map((span) => spanOf(span, attributesOf(resource)));
    });
}

function spanOf(span: Buffer, resource: ReceivedSpan['resource']): ReceivedSpan {
  const fields = readFields(span);
  return {
    traceId: fields.bytes(1).toString('hex'),
    spanId: fields.bytes(2).toString('hex'),
    state: fields.bytes(3).toString(),
    parentId: fields.bytes(4).toString('hex'),
    name: fields.bytes(5).toString(),
    kind: KINDS[fields.number(6)] ?? '',
    attributes: attributesOf(fields.all(9)),
    hasFailed: readFields(fields.bytes(15)).number(3) === 2,
    resource,
  };
}

function attributesOf(keyValues: readonly Buffer[]): Record<string, string | number> {
  return Object.fromEntries(
    keyValues.map((keyValue) => {
      const fields = readFields(keyValue);
      const value = readFields(fields.bytes(2));
      return [fields.bytes(1).toString(), value.all(1).length > 0 ? value.bytes(1).toString() : value.number(3)];
    }),
  );
}
