import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { createOutbound, type OutboundRequest } from '../../../core/kit/outbound.ts';
import { listen } from '../../support/listen.ts';
import { outboundFault } from '../../support/outbound-fault.ts';
import { use } from '../../support/use.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
/** A body that looks like informational responses. */
const ODD_BODY = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103';

/** The pieces in which a server sends its response to each request. The client reads each piece separately. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  'a 100 that nobody asked for': [CONTINUE, OK],
  'a 100 in one piece with the response': [CONTINUE + OK],
  'a 100, byte by byte, and the response, too': [...(CONTINUE + OK)],
  'hints, byte by byte': [...HINTS, OK],
  'many of both': [CONTINUE.repeat(100) + HINTS.repeat(100), HINTS + OK],
  'a status line that breaks off after each byte': [
    'H',
    'T',
    'TP/1.1 10',
    '2 Processing\r\n\r',
    '\nHTTP/1.',
    '1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  ],
};

describe('informational responses that nobody asked for', function () {
  const outbound = use(this, async () => createOutbound({ allow: ['127.0.0.1'] }));

  /** Starts a server that responds to each request with these pieces. */
  async function answering(pieces: readonly string[]) {
    const seen = { requests: 0, connections: 0 };
    const server = createServer((socket) => {
      seen.connections += 1;
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        seen.requests += String(data).split(' HTTP/1.1\r\n').length - 1;
        void writeAll(socket, pieces);
      });
    });
    const port = await listen(server);
    const call = (request?: OutboundRequest) => outbound.call(`http://127.0.0.1:${port}/`, request);
    return { seen, call, [Symbol.asyncDispose]: async () => void server.close() };
  }

  for (const [what, pieces] of Object.entries(ANSWERS))
    it(`are skipped on new and on kept connections: ${what}`, async () => {
      await using server = await answering(pieces);
      for (let round = 0; round < 3; round += 1) {
        const { status, body } = await server.call({ method: 'POST', body: 'a=b' });
        expect([status, String(body)]).to.deep.equal([200, 'ok']);
      }
      expect(server.seen.requests).to.equal(3);
      expect(server.seen.connections).to.be.at.most(2);
    });

  it('are not looked for in a body', async () => {
    await using server = await answering([`HTTP/1.1 200 OK\r\nContent-Length: ${ODD_BODY.length}\r\n\r\n`, ODD_BODY]);
    expect(String((await server.call()).body)).to.equal(ODD_BODY);
    expect(String((await server.call()).body)).to.equal(ODD_BODY);
  });

  it('may have 64 KiB in total, and no more', async () => {
    await using server = await answering([HINTS.repeat(Math.floor((63 * 1024) / HINTS.length)), OK]);
    expect((await server.call()).status).to.equal(200);
    await using flood = await answering([HINTS.repeat(Math.ceil((65 * 1024) / HINTS.length)), OK]);
    expect(await outboundFault(flood.call())).to.have.property('code', 'unreachable');
    await using endless = await answering([`HTTP/1.1 103 Early Hints\r\nLink: ${'x'.repeat(70 * 1024)}`]);
    expect(await outboundFault(endless.call())).to.have.property('code', 'unreachable');
  });

  it('do not make a call last longer', async () => {
    await using server = await answering(Array<string>(2_000).fill(CONTINUE));
    const begun = performance.now();
    expect(await outboundFault(server.call({ timeoutMs: 300 }))).to.have.property('code', 'timeout');
    expect(performance.now() - begun).to.be.below(5 * 300);
  });

  it('do not allow a change of the protocol', async () => {
    await using server = await answering(['HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n']);
    expect(await outboundFault(server.call())).to.have.property('code', 'unreachable');
    expect(server.seen.requests).to.equal(1);
  });
});

/** Writes the pieces, each after the previous one was sent. */
async function writeAll(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    await new Promise((written) => socket.write(piece, written));
    await new Promise(setImmediate);
  }
}
