import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import * as z from 'zod';
import { defineRaw, defineRoute, defineStream } from '../../../core/server/route.ts';
import { ROUTE, startEdge } from '../../support/http-edge.ts';

const MIB = 1024 * 1024;
const routes = [
  defineRaw({
    ...ROUTE,
    method: 'POST',
    path: '/bytes',
    params: z.strictObject({}),
    maxBodyBytes: MIB,
    handle: async (_: unknown, { body }) => ({ body: { length: (await body.readBody()).bytes.length } }),
  }),
  defineRoute({
    ...ROUTE,
    access: { scope: 'environment:connections:update' },
    method: 'POST',
    path: '/guarded',
    body: z.unknown(),
    handle: async () => ({ body: {} }),
  }),
  defineRoute({ ...ROUTE, method: 'GET', path: '/quick', handle: async () => ({ body: { quick: true } }) }),
  defineStream({
    ...ROUTE,
    path: '/stream',
    handle: async (_: unknown, { request, response }) => {
      request.resume();
      await once(request, 'end');
      response.end('done');
    },
  }),
];
const QUICK = 'GET /quick HTTP/1.1\r\nHost: a\r\n\r\n';

/** Returns everything that the server sends until it closes the connection. `isWhole` is false if the connection was reset. */
async function conversation(socket: Socket): Promise<{ text: string; isWhole: boolean }> {
  let text = '';
  let isWhole = true;
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  socket.on('error', () => {
    isWhole = false;
  });
  // `once` would reject if the connection is reset.
  await new Promise((resolve) => socket.on('close', resolve));
  return { text, isWhole };
}

describe('a response that comes before the body of its request', () => {
  const head = (path: string, length: number) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
  const REFUSED: Readonly<Record<string, readonly [string, number]>> = {
    'without credentials': [head('/guarded', 4 * MIB), 401],
    'of a body that is too large': [head('/bytes', 4 * MIB), 413],
    'where there is nothing': [head('/nowhere', 4 * MIB), 404],
  };
  for (const [what, [bytes, status]] of Object.entries(REFUSED)) {
    it(`announces that the connection closes, and arrives although the body goes on: ${what}`, async () => {
      await using edge = await startEdge(routes);
      const socket = connect(edge.port, '127.0.0.1');
      const talk = conversation(socket);
      socket.write(bytes);
      // The client sends the whole body and another request all the same. The server must not reset the connection because of
      // them: the client would lose the response if it has not read it yet.
      socket.write(Buffer.alloc(4 * MIB, 'x'));
      socket.write(QUICK);
      const { text, isWhole } = await talk;
      expect(text)
        .to.match(new RegExp(`^HTTP/1\\.1 ${status} `))
        .and.to.match(/^connection: close\r$/im);
      expect(text.split('HTTP/1.1 ')).to.have.length(2);
      expect(isWhole).to.equal(true);
    });
  }

  it('waits for the rest of the body no longer than the linger time, and does not leave the next request hanging', async () => {
    await using edge = await startEdge(routes, { lingerMs: 3_000 });
    const socket = connect({ port: edge.port, host: '127.0.0.1', allowHalfOpen: true });
    const talk = conversation(socket);
    const ended = once(socket, 'end');
    const begun = performance.now();
    socket.write(head('/guarded', 4 * MIB));
    // The server immediately ends its side of the connection, so the client sees that it should send nothing more.
    await ended;
    const endedAfterMs = performance.now() - begun;
    // Whatever the client still sends is read until the linger time is over. Then the connection is reset.
    const sending = setInterval(() => socket.write('x'), 20);
    const { text } = await talk;
    clearInterval(sending);
    expect(text).to.match(/^HTTP\/1\.1 401 /);
    expect(endedAfterMs).to.be.below(2_900);
    expect(performance.now() - begun).to.be.within(2_900, 15_000);
  });

  it('keeps the connection open when the whole body has arrived', async () => {
    await using edge = await startEdge(routes);
    const socket = connect(edge.port, '127.0.0.1');
    const talk = conversation(socket);
    for (const request of [
      `${head('/guarded', 3)}abc`,
      `${head('/bytes', 100_000)}${'x'.repeat(100_000)}`,
      `${head('/stream/x', 100_000)}${'x'.repeat(100_000)}`,
      QUICK,
    ]) {
      const answered = once(socket, 'data');
      socket.write(request);
      await answered;
    }
    socket.end();
    const { text } = await talk;
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).to.deep.equal(['401', '200', '200', '200']);
    expect(text).not.to.match(/connection: close/i);
  });
});

describe('a large body', () => {
  const head = (fields: string) => `POST /bytes HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\n`;
  const large = defineRaw({
    ...ROUTE,
    method: 'POST',
    path: '/bytes',
    params: z.strictObject({}),
    maxBodyBytes: 16 * MIB,
    handle: async (_: unknown, { body }) => ({ body: { length: (await body.readBody()).bytes.length } }),
  });

  for (const [what, fields] of Object.entries({
    'that is announced': `Content-Length: ${16 * MIB}`,
    'in chunks': 'Transfer-Encoding: chunked',
  })) {
    it(`${what} is not refused as slow while it waits for room`, async () => {
      await using edge = await startEdge([large], { bodyDeadlineMs: 4_000, bodyWaitMs: 20_000 });
      const chunk = `${(8 * MIB).toString(16)}\r\n${'x'.repeat(8 * MIB)}\r\n`;
      // This request takes up everything that one address may have, until the server cuts it off because it sends no body.
      const silent = edge.raw(head(`Content-Length: ${16 * MIB}`), 20_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const body = fields.startsWith('T') ? `${chunk}${chunk}0\r\n\r\n` : 'x'.repeat(16 * MIB);
      const waiting = edge.raw(head(`${fields}\r\nConnection: close`) + body, 40_000);
      expect((await silent).status).to.equal(408);
      const { status, text } = await waiting;
      expect(status, text.slice(0, 900)).to.equal(200);
    });
  }
});
