import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { createLogger } from '../../../core/kit/logger.ts';
import { defineRoute, defineStream } from '../../../core/server/route.ts';
import { listen } from '../../../core/server/server.ts';
import { ROUTE, startEdge } from '../../support/http-edge.ts';

const QUICK = 'GET /quick HTTP/1.1\r\nHost: a\r\n\r\n';
const GET = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n';

/** Returns a route that does not respond until `open` is called. */
function gate() {
  const entered = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  const route = defineRoute({
    ...ROUTE,
    method: 'GET',
    path: '/slow',
    handle: async () => {
      entered.resolve();
      await open.promise;
      return { body: {} };
    },
  });
  return { route, entered: entered.promise, open: open.resolve };
}

const quick = defineRoute({ ...ROUTE, method: 'GET', path: '/quick', handle: async () => ({ body: {} }) });

describe('server', () => {
  it('closes connections whose request head does not arrive, with 408 if the head has begun', async () => {
    await using edge = await startEdge([quick], { headersTimeoutMs: 100 });
    const begun = await edge.raw('GET /quick HTTP/1.1\r\nHost: a\r\n');
    expect([begun.status, begun.closed]).to.deep.equal([408, true]);
    expect(begun.text).to.contain('"request_timeout"');
    expect((await edge.raw('')).closed).to.equal(true);
  });

  it('names the port and the fix when the port is in use', async () => {
    await using edge = await startEdge([quick]);
    const log = createLogger({ level: 'silent' });
    const app = { request: () => undefined, takesUpgrade: () => false, upgrade: () => undefined };
    const message = await listen({ app, port: edge.port, host: '127.0.0.1', log }).catch((error: Error) => error.message);
    expect(message).to.equal(
      `127.0.0.1:${edge.port} is in use: stop the process that listens there, or set PORT to another port`,
    );
  });

  it('responds before a refused body has arrived, and hangs up on callers that go on sending', async () => {
    await using edge = await startEdge([quick], { lingerMs: 100 });
    const head = 'GET /quick HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n';
    const { status, closed } = await edge.raw(head);
    expect([status, closed]).to.deep.equal([400, true]);
  });

  it('logs no more than the debug line of a caller that left', async () => {
    const { route, entered, open } = gate();
    await using edge = await startEdge([route]);
    const socket = connect(edge.port, '127.0.0.1');
    socket.write(GET);
    await entered;
    socket.destroy();
    await once(socket, 'close');
    open();
    expect((await edge.as().get('/none')).status).to.equal(404);
    expect(edge.log.filter((line) => !line.includes('"level":"debug"'))).to.deep.equal([]);
  });
});

describe('closing the server', () => {
  it('lets running requests end, on connections that then close, and takes no new ones', async () => {
    const { route, entered, open } = gate();
    await using edge = await startEdge([route, quick]);
    const idle = await keepAlive(edge.port);
    const running = edge.raw(GET);
    await entered;
    const closed = edge.server.close({ withinMs: 5_000 });
    await once(idle, 'close');
    const refused = await once(connect(edge.port, '127.0.0.1'), 'connect').catch((error: NodeJS.ErrnoException) => error.code);
    expect(refused).to.equal('ECONNREFUSED');
    open();
    const response = await running;
    expect(response.text).to.match(/^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n/i);
    expect(response.closed).to.equal(true);
    await closed;
  });

  it('responds on idle connections during the notice period, even after a request on another connection has ended', async () => {
    await using edge = await startEdge([quick]);
    const [first, second] = [await keepAlive(edge.port), await keepAlive(edge.port)];
    const closed = edge.server.close({ withinMs: 10_000, noticeMs: 1_000 });
    for (const socket of [first, second]) {
      const answered = once(socket, 'data');
      socket.write(QUICK);
      expect(String(await answered)).to.match(/^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n/i);
      await once(socket, 'close');
    }
    await closed;
  });

  it('cuts off requests that have not ended in time', async () => {
    const { route, entered } = gate();
    await using edge = await startEdge([route]);
    const running = edge.raw(GET);
    await entered;
    await edge.server.close({ withinMs: 50 });
    expect(await running).to.deep.include({ text: '', closed: true });
  });

  it('does not wait for a connection that was opened ahead of need', async () => {
    await using edge = await startEdge([quick]);
    const silent = connect(edge.port, '127.0.0.1');
    await once(silent, 'connect');
    const begun = performance.now();
    await edge.server.close({ withinMs: 15_000 });
    expect(performance.now() - begun).to.be.below(5_000);
    await once(silent.resume(), 'close');
  });

  it('ends a connection after the stream that was under way', async () => {
    const begun = Promise.withResolvers<() => void>();
    const stream = defineStream({
      ...ROUTE,
      path: '/stream',
      handle: async (_: unknown, { response }) => {
        response.write('one ');
        begun.resolve(() => response.end('two'));
      },
    });
    await using edge = await startEdge([stream]);
    const running = edge.raw('GET /stream/x HTTP/1.1\r\nHost: a\r\n\r\n');
    const end = await begun.promise;
    const closed = edge.server.close({ withinMs: 5_000 });
    end();
    const { text, closed: hungUp } = await running;
    expect(text).to.contain('one ').and.to.contain('two');
    expect(hungUp).to.equal(true);
    await closed;
  });
});

async function keepAlive(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write(QUICK);
  await once(socket, 'data');
  return socket;
}
