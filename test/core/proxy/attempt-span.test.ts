import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import type { ProviderPlugin } from '#contract';
import type { SpanStart, Tracer } from '../../../core/kit/tracing.ts';
import { type LoopbackServer, serve } from '../../support/loopback-server.ts';
import { CALL_HEADERS, type ProxyHarness, startProxy } from '../../support/proxy-harness.ts';
import { send } from '../../support/raw-http.ts';
import { use } from '../../support/use.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLERS = { traceparent: `00-${TRACE}-b7ad6b7169203331-01`, TraceState: 'vendor=a' };

/** A plugin whose signature covers the trace context, as one that signs every header would. */
const SIGNING: ProviderPlugin = {
  contract: 1,
  proxy: { sign: ({ headers }) => ({ headers: { 'x-signed': `${headers['traceparent']} ${headers['tracestate']}` } }) },
};

/** Numbers the spans, and keeps how each began and ended. */
class CountingTracer implements Tracer {
  readonly begun: SpanStart[] = [];
  readonly ended: string[] = [];

  begin(start: SpanStart) {
    const id = this.begun.push(start);
    const facts: string[] = [];
    return {
      context: `00-${TRACE}-${String(id).padStart(16, '0')}-01 vendor=own`,
      rename: () => undefined,
      set: (attributes: object) => void facts.push(JSON.stringify(attributes)),
      fail: (errorType: string) => void facts.push(errorType),
      end: () => void this.ended.push(facts.join(' ')),
    };
  }
}

const callThrough = ({ url }: ProxyHarness, headers: Readonly<Record<string, string>>) =>
  send({ port: Number(new URL(url).port), path: '/proxy/x', headers });

describe('the context that a proxied call carries', function () {
  const seen: IncomingMessage['headers'][] = [];
  const tracer = new CountingTracer();
  const upstream = use(
    this,
    (): Promise<LoopbackServer> =>
      serve((request, response) => {
        seen.push(request.headers);
        response.end('whole');
      }),
  );
  const traced: ProxyHarness = use(this, () => startProxy({ proxy: { base_url: upstream.url }, tracer, plugin: SIGNING }));
  const plain: ProxyHarness = use(this, () => startProxy({ proxy: { base_url: upstream.url }, plugin: SIGNING }));
  beforeEach(() => {
    for (const list of [seen, tracer.begun, tracer.ended]) list.splice(0);
  });

  it('is the span’s in place of the caller’s, and is signed', async () => {
    expect((await callThrough(traced, { ...CALL_HEADERS, ...CALLERS })).status).to.equal(200);
    const own = { traceparent: `00-${TRACE}-0000000000000001-01`, tracestate: 'vendor=own' };
    expect(seen[0]).to.include({ ...own, 'x-signed': `${own.traceparent} ${own.tracestate}` });
    expect(tracer.begun.map(({ name, kind }) => [name, kind])).to.deep.equal([['GET', 'client']]);
    expect(tracer.ended).to.deep.equal(['{"http.response.status_code":200}']);
  });

  it('is the caller’s without traces, and none if the caller sends none', async () => {
    await callThrough(plain, { ...CALL_HEADERS, ...CALLERS });
    await callThrough(plain, CALL_HEADERS);
    expect(seen[0]).to.include({ traceparent: CALLERS.traceparent, tracestate: CALLERS.TraceState });
    expect(seen[1]).to.not.have.any.keys('traceparent', 'tracestate');
  });

  it('belongs to a span that ends, too, if the request cannot be built', async () => {
    const plugin: ProviderPlugin = { contract: 1, proxy: { sign: () => 'nothing' as never } };
    await using broken = await startProxy({ proxy: { base_url: upstream.url }, tracer, plugin });
    expect((await callThrough(broken, CALL_HEADERS)).status).to.equal(500);
    expect(seen).to.deep.equal([]);
    expect(tracer.ended).to.deep.equal(['server_error']);
  });
});
