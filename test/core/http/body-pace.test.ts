import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import * as z from 'zod';
import { defineRaw, defineRoute } from '../../../core/http/route.ts';
import { startEdge } from '../../support/http-edge.ts';

const MIB = 1024 * 1024;
const common = { access: 'public', tag: 'Test', summary: 'A route', responses: { 200: { description: 'Done.' } } } as const;

const raw = defineRaw({
  ...common,
  method: 'POST',
  path: '/raw',
  params: z.strictObject({}),
  maxBodyBytes: 8 * MIB,
  handle: async (_: unknown, { body }) => ({ body: { length: (await body.readBody()).length } }),
});
const quick = defineRoute({ ...common, method: 'GET', path: '/quick', handle: async () => ({ body: {} }) });

describe('the pace of large bodies', () => {
  it('is shared by all of them, and holds up nobody with a small one', async () => {
    await using edge = await startEdge([raw]);
    const begun = performance.now();
    const answered: number[] = [];
    const send = async (bytes: number) => {
      const { body } = await edge.as().post('/raw', Buffer.alloc(bytes));
      answered.push(body.length);
    };
    const large = [send(8 * MIB), send(8 * MIB)];
    await Promise.all(Array.from({ length: 20 }, () => send(60 * 1024)));
    expect(answered).to.have.length(20);
    await Promise.all(large);
    // 4 MiB a second, after the first 2 MiB of all and 64 KiB of each.
    expect(performance.now() - begun).to.be.above(3_000);
  });

  it('is not that of bodies which nobody reads any more', async () => {
    await using edge = await startEdge([raw, quick]);
    const refused = Array.from({ length: 100 }, async () => {
      const socket = connect(edge.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET /quick HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n');
      socket.write(Buffer.alloc(MIB));
      await once(socket, 'data');
      return socket;
    });
    const sockets = await Promise.all(refused);
    const begun = performance.now();
    expect((await edge.as().post('/raw', Buffer.alloc(MIB / 4))).body.length).to.equal(MIB / 4);
    // Those before it would take 23 s.
    expect(performance.now() - begun).to.be.below(3_000);
    for (const socket of sockets) socket.destroy();
  });

  it('holds for the rest of one that was refused', async () => {
    await using edge = await startEdge([quick], { lingerMs: 500 });
    const socket = connect(edge.port, '127.0.0.1');
    // The reset that ends it.
    socket.on('error', () => undefined);
    let taken = 0;
    const goOn = (error?: Error | null) => {
      if (error) return;
      taken += 1;
      socket.write(Buffer.alloc(MIB), goOn);
    };
    socket.write('GET /quick HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n', goOn);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).to.match(/^HTTP\/1\.1 400 /);
    await new Promise((resolve) => socket.once('close', resolve));
    // What the kernel holds of it comes on top.
    expect(taken).to.be.within(1, 40);
  });
});
