import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createOutbound, type OutboundRequest } from '../../../core/kit/outbound.ts';
import { freePort } from '../../support/free-port.ts';
import { listen } from '../../support/listen.ts';
import { outboundFault } from '../../support/outbound-fault.ts';
import { type RawServer, rawServer } from '../../support/raw-tcp.ts';
import { useEach } from '../../support/use.ts';

const KIB = 1024;

describe('a bounded call', function () {
  const outbound = useEach(this, () => createOutbound({ allow: ['127.0.0.1'] }));

  const call = ({ port }: { readonly port: number }, request?: OutboundRequest) =>
    outbound.call(`http://127.0.0.1:${port}/p?q=1`, request);

  it('sends only the headers and the body of the caller, and a request for an uncompressed response', async () => {
    await using server = await respondingWith(['204 No Content']);
    await call(server, { method: 'POST', headers: { Accept: 'x/y', 'X-One': '1' }, body: 'a=b' });
    const lines = String(server.received[0]).split('\r\n').toSorted();
    expect(lines).to.deep.equal(
      ['POST /p?q=1 HTTP/1.1', `host: 127.0.0.1:${server.port}`, 'connection: keep-alive', 'accept-encoding: identity']
        .concat(['accept: x/y', 'x-one: 1', 'content-length: 3', '', 'a=b'])
        .toSorted(),
    );
  });

  it('returns the status, the headers with repetitions joined, and the bytes', async () => {
    await using server = await respondingWith(
      ['418 Teapot', 'X-A: 1', 'x-a: 2', 'Set-Cookie: c', 'X-Proto: __proto__'],
      Buffer.from([0, 255]),
    );
    const { status, headers, body } = await call(server);
    expect(status).to.equal(418);
    expect(headers).to.deep.equal({ 'x-a': '1, 2', 'set-cookie': 'c', 'x-proto': '__proto__', connection: 'close' });
    expect(body).to.deep.equal(Buffer.from([0, 255]));
  });

  it('reuses its connections', async () => {
    let connections = 0;
    const server = createServer((_, response) => void response.end('x')).on('connection', () => connections++);
    const port = await listen(server);
    for (let round = 0; round < 10; round++) await call({ port });
    server.close().closeAllConnections();
    await once(server, 'close');
    // There may be two network connections, because the pool learns that the first is free only after the second call has begun.
    expect(connections).to.be.at.most(2);
  });

  for (const [encoding, encode] of Object.entries({
    gzip: gzipSync,
    'X-GZIP': gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
  })) {
    it(`decodes a response that is ${encoding} although the request did not ask for that`, async () => {
      await using server = await respondingWith(['200 OK', `Content-Encoding: ${encoding}`], encode('{"token":"t"}'));
      const { headers, body } = await call(server);
      expect(body.toString()).to.equal('{"token":"t"}');
      expect(headers).not.to.have.property('content-encoding');
    });
  }

  it('refuses a gzip bomb without using much memory', async () => {
    await using server = await respondingWith(['200 OK', 'Content-Encoding: gzip'], gzipSync(Buffer.alloc(64 * KIB * KIB)));
    const before = process.memoryUsage.rss();
    expect((await outboundFault(call(server))).code).to.equal('too_large');
    expect(process.memoryUsage.rss() - before).to.be.below(20 * KIB * KIB);
  });

  it('refuses a response over the limit, and stops reading', async () => {
    let sent = 0;
    const endless = (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(64 * KIB))) sent += 64 * KIB;
      };
      socket.on('drain', more);
      more();
    };
    await using server = await rawServer((socket) => void socket.once('data', () => endless(socket)));
    expect((await outboundFault(call(server, { maxBytes: 100 * KIB }))).code).to.equal('too_large');
    expect(sent).to.be.below(16 * KIB * KIB);
  });

  it('cuts a response over the limit on request, in its received encoding', async () => {
    const packed = gzipSync(randomBytes(100 * KIB));
    await using server = await respondingWith(['200 OK', 'Content-Encoding: gzip'], packed);
    const { status, body } = await call(server, { maxBytes: 64 * KIB, beyond: 'cut' });
    expect(status).to.equal(200);
    expect(body.equals(packed.subarray(0, 64 * KIB))).to.equal(true);
  });

  it('accepts a response of exactly the maximum size', async () => {
    await using server = await respondingWith(['200 OK'], Buffer.alloc(5));
    expect((await call(server, { maxBytes: 5 })).body).to.have.length(5);
    expect((await outboundFault(call(server, { maxBytes: 4 }))).code).to.equal('too_large');
  });

  const BROKEN: Readonly<Record<string, readonly [string, readonly string[], (string | Uint8Array)?]>> = {
    'is compressed twice': ['unreachable', ['200 OK', 'Content-Encoding: gzip, gzip'], gzipSync(gzipSync('x'))],
    'is not what its encoding says': ['unreachable', ['200 OK', 'Content-Encoding: gzip'], 'not gzip'],
    'is cut within its compressed body': [
      'unreachable',
      ['200 OK', 'Content-Encoding: gzip'],
      gzipSync('x'.repeat(99)).subarray(0, 15),
    ],
    'is shorter than its length': ['unreachable', ['200 OK', 'Content-Length: 10'], 'short'],
    'ends within a chunk': ['unreachable', ['200 OK', 'Transfer-Encoding: chunked'], 'ff\r\nshort'],
    'is not HTTP': ['unreachable', ['x'.repeat(9)]],
    'has no end of headers': ['too_large', ['200 OK', `X-A: ${'a'.repeat(70 * KIB)}`]],
  };
  for (const [fault, [code, head, body]] of Object.entries(BROKEN)) {
    it(`fails when the response ${fault}`, async () => {
      await using server = await respondingWith(head, body);
      expect((await outboundFault(call(server))).code).to.equal(code);
    });
  }

  it('fails when nobody listens, and when the server hangs up', async () => {
    const refused = await outboundFault(call({ port: await freePort() }));
    expect(refused).to.include({ code: 'unreachable', beforeSending: true });
    await using server = await rawServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    expect(await outboundFault(call(server))).to.include({ code: 'unreachable', beforeSending: false });
  });

  it('ends by its deadline while the server is silent, before and within the response', async () => {
    await using silent = await rawServer(() => undefined);
    expect((await outboundFault(call(silent, { timeoutMs: 30 }))).code).to.equal('timeout');
    await using slow = await rawServer((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx'));
    expect((await outboundFault(call(slow, { timeoutMs: 30 }))).code).to.equal('timeout');
  });

  it('ends when its caller gives up, whatever the reason', async () => {
    await using silent = await rawServer(() => undefined);
    const caller = new AbortController();
    const fault = outboundFault(call(silent, { signal: caller.signal }));
    caller.abort('a reason that is no error');
    expect((await fault).code).to.equal('timeout');
    expect((await outboundFault(call(silent, { signal: AbortSignal.abort() }))).code).to.equal('timeout');
  });

  it('repeats nothing that was sent or received in its error', async () => {
    await using server = await respondingWith(['200 OK', 'Content-Length: 2', 'X-Echo secret-canary'], 'secret-canary');
    const fault = await outboundFault(call(server, { headers: { authorization: 'Bearer secret-canary' } }));
    expect(JSON.stringify([fault, fault.message, fault.stack, fault.cause])).not.to.contain('canary');
  });
});

function respondingWith(head: readonly string[], body: Uint8Array | string = ''): Promise<RawServer> {
  return rawServer(
    Buffer.concat([Buffer.from(`HTTP/1.1 ${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`), Buffer.from(body)]),
  );
}
