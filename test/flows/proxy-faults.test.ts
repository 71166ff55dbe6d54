import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';
import { serve } from '../support/loopback-server.ts';
import { CALL_HEADERS, type ProxyHarness, startProxy } from '../support/proxy-harness.ts';
import { begin, type Received, receive, type Sent, send } from '../support/raw-http.ts';
import { type RawServer, rawServer } from '../support/raw-tcp.ts';
import { isLong, size } from '../support/size.ts';
import { skipBecause } from '../support/skip.ts';

/** The time limit for an abort to take effect: the goal is one second, and the rest is for a busy machine. */
const ABORT_MS = 5_000;
const MIB = 1024 * 1024;

interface Setup extends AsyncDisposable {
  readonly upstream: RawServer;
  readonly proxy: ProxyHarness;
  call(sent?: Partial<Sent>): Promise<Received>;
}

/** Starts a provider that handles raw requests, and the proxy in front of it. */
async function behind(onRequest: (socket: Socket, request: Buffer) => void): Promise<Setup> {
  const upstream = await rawServer((socket) => socket.on('data', (request) => onRequest(socket, request)));
  const proxy = await startProxy({ proxy: { base_url: `http://127.0.0.1:${upstream.port}` } });
  return {
    upstream,
    proxy,
    call: (sent) => send({ port: proxy.edge.port, path: '/proxy/x', ...sent, headers: { ...CALL_HEADERS, ...sent?.headers } }),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

describe('an upstream that misbehaves (PRX-09)', () => {
  const BROKEN: Readonly<Record<string, (socket: Socket) => void>> = {
    'a length longer than the body': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello'),
    'a chunked body without its end': (socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'),
    'a chunk cut in its middle': (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhello'),
    'a chunk size that is none': (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n'),
    'a reset inside a body with a length': (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello', () => setTimeout(() => socket.resetAndDestroy(), 50)),
    'a reset inside a chunked body': (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n', () =>
        setTimeout(() => socket.resetAndDestroy(), 50),
      ),
    'a reset inside a body that only the end of the connection delimits': (socket) =>
      socket.write('HTTP/1.1 200 OK\r\n\r\nhello', () => setTimeout(() => socket.resetAndDestroy(), 50)),
  };
  for (const [what, response] of Object.entries(BROKEN)) {
    it(`shows ${what} as a reset, never as a clean end`, async () => {
      await using setup = await behind(response);
      const received = await setup.call();
      expect(received).to.deep.include({ status: 200, complete: false });
      expect(setup.proxy.operations.map(({ status }) => status)).to.deep.equal(['failure']);
    });
  }

  const UNUSABLE: Readonly<Record<string, (socket: Socket) => void>> = {
    'no response but an end': (socket) => socket.end(),
    'no response but a reset': (socket) => socket.resetAndDestroy(),
    'something that is not HTTP': (socket) => socket.end('220 mail.example ESMTP\r\n'),
    'a head that breaks off': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le'),
    'a head without end': (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(64 * 1024)}\r\n`),
    'two lengths': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'),
    'a protocol nobody asked for': (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'),
    'more than 64 KiB of informational responses': (socket) =>
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_800)),
  };
  for (const [what, response] of Object.entries(UNUSABLE)) {
    it(`responds with 502 for ${what}`, async () => {
      await using setup = await behind(response);
      const received = await setup.call();
      expect(received.status).to.equal(502);
      expect(received.headers['svc-error']).to.equal('provider_unreachable');
    });
  }

  it('passes on a head of more than 60 kB, and explains the refusal of a head beyond 64 kB', async () => {
    const headers = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: ${'x'.repeat(1_000)}\r\n`).join('');
    await using large = await behind((socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 0\r\n${headers(60)}\r\n`));
    const received = await large.call();
    expect(received.status).to.equal(200);
    expect(Object.keys(received.headers).filter((name) => /^x-\d+$/.test(name))).to.have.length(60);
    await using beyond = await behind((socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 0\r\n${headers(70)}\r\n`));
    const refused = await beyond.call();
    expect([refused.status, refused.headers['svc-error']]).to.deep.equal([502, 'provider_unreachable']);
    expect(String(refused.body)).to.contain("the provider's response headers are larger than 64 kB");
  });

  it('responds with 502 when nobody listens', async () => {
    await using proxy = await startProxy({ proxy: { base_url: `http://127.0.0.1:${await freePort()}` } });
    const received = await send({ port: proxy.edge.port, path: '/proxy/x', headers: CALL_HEADERS });
    expect(received.headers['svc-error']).to.equal('provider_unreachable');
  });

  it('responds with 504 when nothing comes within the time of the call', async () => {
    await using setup = await behind(() => undefined);
    const received = await setup.call({ headers: { 'svc-timeout': '1' } });
    expect(received.status).to.equal(504);
    expect(received.headers['svc-error']).to.equal('provider_timeout');
  });

  it('responds with 504 when nothing but informational responses comes within the time of the call', async () => {
    await using setup = await behind((socket) => {
      const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 300);
      socket.once('close', () => clearInterval(drip));
    });
    const received = await setup.call({ headers: { 'svc-timeout': '1' } });
    expect(received.status).to.equal(504);
  });

  it('skips informational responses', async () => {
    await using setup = await behind((socket) =>
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    );
    const received = await setup.call();
    expect(received.body.toString()).to.equal('ok');
    expect(received.headers).not.to.have.property('link');
  });

  it('drops trailers and keeps the body', async () => {
    await using setup = await behind((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n'),
    );
    const received = await setup.call();
    expect(received).to.deep.include({ status: 200, complete: true, body: Buffer.from('ok') });
    expect(received.headers).not.to.have.any.keys('trailer', 'x-sum');
  });

  it('ignores a content length beside a transfer coding', async () => {
    await using setup = await behind((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'),
    );
    const received = await setup.call();
    expect(received.headers).not.to.include.all.keys('content-length', 'transfer-encoding');
    if (received.status === 200) expect(received.body.toString()).to.equal('ok');
    else expect(received.status).to.equal(502);
  });

  it('passes on a response that comes before the upload has ended', async () => {
    await using setup = await behind((socket) => {
      if (socket.bytesWritten === 0) socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno');
    });
    const received = await setup.call({ method: 'POST', body: Buffer.alloc(8 * MIB) });
    expect(received).to.deep.include({ status: 413, complete: true, body: Buffer.from('no') });
  });

  it('aborts a body that stops arriving', async function () {
    if (!isLong) skipBecause(this, 'waits for a minute; TEST_SIZE=long');
    this.timeout(90_000);
    await using setup = await behind((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello'));
    const received = await setup.call();
    expect(received).to.deep.include({ status: 200, complete: false });
  });
});

describe('the pool of connections to providers (PRX-04)', () => {
  const MARK = 'of another call';
  const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const POISON: Readonly<Record<string, string>> = {
    'bytes behind the body': `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok${MARK}`,
    'a second response': `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n${MARK}`,
    'a body in a 204': `HTTP/1.1 204 No Content\r\nContent-Length: 15\r\n\r\n${MARK}`,
    'a body in a 304': `HTTP/1.1 304 Not Modified\r\nContent-Length: 15\r\n\r\n${MARK}`,
    'chunks behind the last': `${CHUNKED}2\r\nok\r\n0\r\n\r\nf\r\n${MARK}\r\n0\r\n\r\n`,
  };
  for (const [what, poison] of Object.entries(POISON)) {
    it(`lets no byte of ${what} reach the next call`, async () => {
      await using setup = await behind((socket, request) => {
        if (request.includes('GET /poison')) socket.write(poison);
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmine');
      });
      for (let round = 0; round < size(20, 1000); round += 1) {
        const poisoned = await setup.call({ path: '/proxy/poison' });
        expect(poisoned.body.toString()).not.to.include(MARK);
        const next = await setup.call({ path: '/proxy/clean' });
        if (next.status === 200) expect(next.body.toString()).to.equal('mine');
        else expect(next.status).to.equal(502);
      }
    });
  }
});

describe('a caller that leaves', () => {
  async function within(promise: Promise<unknown>): Promise<void> {
    await Promise.race([
      promise,
      new Promise((_, reject) => setTimeout(() => reject(new Error('the upstream was not ended')), ABORT_MS).unref()),
    ]);
  }

  it('ends the call to the provider before the response', async () => {
    const arrived = Promise.withResolvers<IncomingMessage>();
    await using upstream = await serve((request) => arrived.resolve(request));
    await using proxy = await startProxy({ proxy: { base_url: upstream.url } });
    const request = httpRequest({ port: proxy.edge.port, path: '/proxy/x', headers: CALL_HEADERS });
    request.on('error', () => undefined).end();
    const { socket } = await arrived.promise;
    request.destroy();
    await within(new Promise((resolve) => socket.once('close', resolve)));
    expect(proxy.operations.map(({ status }) => status)).to.deep.equal(['cancelled']);
  });

  it('ends the call to the provider inside the response', async () => {
    const arrived = Promise.withResolvers<IncomingMessage>();
    await using upstream = await serve((request, response) => {
      arrived.resolve(request);
      response.write('a part');
    });
    await using proxy = await startProxy({ proxy: { base_url: upstream.url } });
    const response = await begin({ port: proxy.edge.port, path: '/proxy/x', headers: CALL_HEADERS });
    const { socket } = await arrived.promise;
    response.destroy();
    await within(new Promise((resolve) => socket.once('close', resolve)));
  });

  it('ends the call to the provider inside the upload', async () => {
    const arrived = Promise.withResolvers<IncomingMessage>();
    await using upstream = await serve((request) => arrived.resolve(request.resume()));
    await using proxy = await startProxy({ proxy: { base_url: upstream.url } });
    const headers = { ...CALL_HEADERS, 'content-length': '1000' };
    const request = httpRequest({ port: proxy.edge.port, method: 'POST', path: '/proxy/x', headers });
    request.on('error', () => undefined).write('a part');
    const { socket } = await arrived.promise;
    request.destroy();
    await within(new Promise((resolve) => socket.once('close', resolve)));
  });
});

describe('a slow reader', () => {
  it('holds the provider back instead of filling our memory', async () => {
    const answerBytes = size(64, 2048) * MIB;
    let written = 0;
    await using upstream = await serve((_, response) => {
      const piece = Buffer.alloc(64 * 1024);
      const write = () => {
        while (written < answerBytes) {
          written += piece.length;
          if (!response.write(piece)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    await using proxy = await startProxy({ proxy: { base_url: upstream.url } });
    const response = await begin({ port: proxy.edge.port, path: '/proxy/x', headers: CALL_HEADERS });
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(written).to.be.below(16 * MIB);
    const received = await receive(response);
    expect(received.complete).to.equal(true);
    expect(received.body.length).to.equal(answerBytes);
  });
});
