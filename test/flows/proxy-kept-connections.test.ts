import type { Socket } from 'node:net';
import { expect } from 'chai';
import { CALL_HEADERS, type ProxyHarness, startProxy } from '../support/proxy-harness.ts';
import { type Received, type Sent, send } from '../support/raw-http.ts';
import { rawServer } from '../support/raw-tcp.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** The ways in which a provider may end a network connection that seems idle to it although a request is already on its way. */
const ENDS: Readonly<Record<string, (socket: Socket) => void>> = {
  'is reset': (socket) => socket.resetAndDestroy(),
  'is ended': (socket) => socket.end(),
};
const BEGUN: Readonly<Record<string, (socket: Socket) => void>> = {
  'a byte of the response': (socket) => socket.write('H', () => socket.resetAndDestroy()),
  'an informational response': (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n', () => socket.resetAndDestroy()),
};

interface Setup extends AsyncDisposable {
  readonly proxy: ProxyHarness;
  /** The methods of the requests on each network connection. */
  readonly seen: readonly string[][];
  call(sent?: Partial<Sent>): Promise<Received>;
}

/**
 * Starts a provider that answers the first request of each network connection, and the proxy in front of it.
 *
 * @param end handles every other request
 * @param isAnswered tells whether the first request of the nth connection, counted from 1, is answered
 */
async function behind(end: (socket: Socket) => void, isAnswered = (_connection: number) => true): Promise<Setup> {
  const seen: string[][] = [];
  const upstream = await rawServer((socket) => {
    const methods: string[] = [];
    const connection = seen.push(methods);
    socket.on('data', (request) => {
      const isFirst = methods.push(String(request).split(' ', 1)[0] ?? '') === 1;
      if (isFirst && isAnswered(connection)) socket.write(OK);
      else end(socket);
    });
  });
  const proxy = await startProxy({ proxy: { base_url: `http://127.0.0.1:${upstream.port}` } });
  return {
    proxy,
    seen,
    call: (sent) => send({ port: proxy.edge.port, path: '/proxy/x', ...sent, headers: { ...CALL_HEADERS, ...sent?.headers } }),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

describe('a kept connection to the provider', () => {
  for (const [how, end] of Object.entries(ENDS)) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
      it(`that ${how} before a byte of the response: ${method} is sent once more, on a new connection`, async () => {
        await using provider = await behind(end);
        expect((await provider.call()).status).to.equal(200);
        expect((await provider.call({ method })).status).to.equal(200);
        expect(provider.seen).to.deep.equal([['GET', method], [method]]);
        expect(provider.proxy.operations.map(({ status }) => status)).to.deep.equal(['success', 'success']);
      });
    }

    for (const [method, body] of [
      ['POST', undefined],
      ['POST', 'a=b'],
      ['PATCH', undefined],
      ['PUT', 'a=b'],
      ['DELETE', 'a=b'],
    ] as const) {
      it(`that ${how}: ${method} ${body === undefined ? 'without' : 'with'} a body is never sent again`, async () => {
        await using provider = await behind(end);
        expect((await provider.call()).status).to.equal(200);
        const { status, headers } = await provider.call({ method, ...(body !== undefined && { body: Buffer.from(body) }) });
        expect([status, headers['svc-error']]).to.deep.equal([502, 'provider_unreachable']);
        expect(provider.seen).to.deep.equal([['GET', method]]);
      });
    }

    it(`that ${how}: a DELETE that says it has no body is sent once more`, async () => {
      await using provider = await behind(end);
      expect((await provider.call()).status).to.equal(200);
      expect((await provider.call({ method: 'DELETE', headers: { 'content-length': '0' } })).status).to.equal(200);
      expect(provider.seen).to.deep.equal([['GET', 'DELETE'], ['DELETE']]);
    });

    it(`that ${how}: a request is sent twice at most`, async () => {
      await using provider = await behind(end, (connection) => connection === 1);
      expect((await provider.call()).status).to.equal(200);
      expect((await provider.call()).status).to.equal(502);
      expect(provider.seen).to.deep.equal([['GET', 'GET'], ['GET']]);
    });
  }

  for (const [what, end] of Object.entries(BEGUN)) {
    it(`that is reset after ${what}: nothing is sent again`, async () => {
      await using provider = await behind(end);
      expect((await provider.call()).status).to.equal(200);
      expect((await provider.call()).status).to.equal(502);
      expect(provider.seen).to.deep.equal([['GET', 'GET']]);
    });
  }

  it('that is silent until the deadline: nothing is sent again', async () => {
    await using provider = await behind(() => undefined);
    expect((await provider.call()).status).to.equal(200);
    expect((await provider.call({ headers: { 'svc-timeout': '1' } })).status).to.equal(504);
    expect(provider.seen).to.deep.equal([['GET', 'GET']]);
  });

  it('is used again after a repeated request, which leaves no broken connection behind', async () => {
    await using provider = await behind((socket) => socket.resetAndDestroy());
    for (let round = 0; round < 6; round += 1) expect((await provider.call()).status).to.equal(200);
    expect(provider.seen.flat()).to.have.length(9);
  });
});
