import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { BODY_TYPES, bodyOf, headersOf, startEchoUpstream, type Want } from '../support/echo-upstream.ts';
import { serve } from '../support/loopback-server.ts';
import { pairwise, product } from '../support/pairwise.ts';
import { CALL_HEADERS, startProxy } from '../support/proxy-harness.ts';
import { begin, send, sha256 } from '../support/raw-http.ts';
import { isLong } from '../support/size.ts';
import { use } from '../support/use.ts';

const KIB = 1024;
const DIMENSIONS = {
  method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
  type: ['text', 'json', 'multipart', 'binary', 'events'],
  bytes: [0, 1, 64 * KIB, 1024 * KIB + 1, 8 * 1024 * KIB],
  framing: ['length', 'chunked'],
  coding: ['identity', 'gzip', 'br'],
  status: [200, 204, 206, 304, 404, 500],
} as const;
const CASES = (isLong ? product : pairwise)(DIMENSIONS);
/**
 * The limit for the delay of one event. The goal is 100 ms; a delay beyond the limit means that the proxy buffers, not that the
 * machine is slow.
 */
const EVENT_MS = 2_500;

describe('proxied bodies and heads', function () {
  const upstream = use(this, startEchoUpstream);
  const proxy = use(this, () => startProxy({ proxy: { base_url: `${upstream.url}/base` } }));
  for (const one of CASES) {
    const { method, status, ...body } = one;
    it(`are the same on both sides: ${Object.values(one).join(' ')}`, async () => {
      const sent = bodyOf(body);
      const want: Want = { status, ...body };
      const response = await send({
        port: proxy.edge.port,
        method,
        path: '/proxy/a%2Fb//c?x=1&x=%20',
        headers: { ...CALL_HEADERS, ...headersOf(body), 'x-want': JSON.stringify(want) },
        body: sent,
        chunked: body.framing === 'chunked',
      });
      const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;

      expect(response.status).to.equal(status);
      expect(response.complete).to.equal(true);
      expect(response.headers['x-received-sha256']).to.equal(sha256(sent));
      expect(response.headers['x-received-target']).to.equal('/base/a%2Fb//c?x=1&x=%20');
      expect(response.headers['x-received-type']).to.equal(BODY_TYPES[body.type]);
      expect(response.headers['content-type']).to.equal(BODY_TYPES[body.type]);
      expect(sha256(response.body)).to.equal(sha256(hasBody ? bodyOf(body) : Buffer.alloc(0)));
      expect(response.headers).not.to.include.all.keys('content-length', 'transfer-encoding');
    });
  }

  it('keep their content length, and get none if they have none', async () => {
    const want: Want = { status: 200, type: 'json', bytes: 1000, framing: 'length', coding: 'identity' };
    const call = (input: Want) =>
      send({ port: proxy.edge.port, path: '/proxy/x', headers: { ...CALL_HEADERS, 'x-want': JSON.stringify(input) } });
    expect((await call(want)).headers['content-length']).to.equal('1000');
    expect((await call({ ...want, framing: 'chunked' })).headers['transfer-encoding']).to.equal('chunked');
  });

  for (const coding of ['gzip', 'br'] as const) {
    it(`are decompressed from ${coding} when the caller asks for it`, async () => {
      const want: Want = { status: 200, type: 'json', bytes: 300 * KIB, framing: 'length', coding };
      const headers = { ...CALL_HEADERS, decompress: 'true', 'x-want': JSON.stringify(want) };
      const response = await send({ port: proxy.edge.port, path: '/proxy/x', headers });
      expect(response.headers).not.to.have.any.keys('content-encoding', 'content-length');
      expect(sha256(response.body)).to.equal(sha256(bodyOf({ ...want, coding: 'identity' })));
    });
  }
});

describe('a proxied stream of events', () => {
  it('arrives event by event, the head at once', async () => {
    const streams: ServerResponse[] = [];
    await using events = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-latin': 'caf\xe9' }).write(Buffer.alloc(0));
      streams.push(response);
    });
    await using proxy = await startProxy({ proxy: { base_url: events.url } });

    const response = await begin({ port: proxy.edge.port, path: '/proxy/events', headers: CALL_HEADERS });
    expect(response.headers['content-type']).to.equal('text/event-stream');
    expect(response.headers['x-latin']).to.equal('caf\xe9');
    for (let event = 0; event < 5; event += 1) {
      const sentAt = performance.now();
      streams[0]?.write(`data: ${event}\n\n`);
      const [chunk] = await once(response, 'data');
      expect(String(chunk)).to.equal(`data: ${event}\n\n`);
      expect(performance.now() - sentAt).to.be.below(EVENT_MS);
    }
    response.destroy();
  });
});

describe('a compressed response that breaks off', () => {
  it('is a reset for a caller who asked for its decompression', async () => {
    const packed = gzipSync(Buffer.alloc(100 * KIB, 'x'));
    await using packing = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(packed.subarray(0, packed.length - 20));
    });
    await using proxy = await startProxy({ proxy: { base_url: packing.url } });
    const response = await send({ port: proxy.edge.port, path: '/proxy/x', headers: { ...CALL_HEADERS, decompress: 'true' } });
    expect(response.complete).to.equal(false);
  });
});
