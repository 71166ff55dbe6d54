import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { ServiceError } from '../../../core/errors.ts';
import { defineRoute, defineStream } from '../../../core/server/route.ts';
import { ROUTE, startEdge } from '../../support/http-edge.ts';
import { use } from '../../support/use.ts';

const routes = [
  defineStream({
    ...ROUTE,
    path: '/stream',
    access: { scope: 'environment:proxy' },
    async handle(_: unknown, { request, response, caller, requestId }) {
      if (request.url === '/stream/refused') throw new ServiceError('provider_unreachable', 'no answer');
      response.writeHead(200, { 'x-caller': caller.kind, 'x-url': request.url ?? '', 'svc-request-id': requestId });
      if (request.url === '/stream/broken') {
        response.write('half');
        throw new Error('broke');
      }
      for await (const chunk of request) response.write(chunk);
      response.end();
    },
    async upgrade(_: unknown, { request, socket, caller, head }) {
      if (request.url === '/stream/refused') throw new ServiceError('provider_unreachable', 'no answer');
      if (request.url === '/stream/broken') {
        socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
        throw new Error('broke');
      }
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nX-Caller: ${caller.kind}\r\n\r\n`);
      socket.write(head);
      socket.pipe(socket);
    },
  }),
  defineRoute({ ...ROUTE, method: 'GET', path: '/stream', handle: async () => ({ body: {} }) }),
];

const UPGRADE = 'Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
const KEY = 'Authorization: Bearer key-of-everything\r\n';

describe('stream routes', function () {
  const edge = use(this, () => startEdge(routes));
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    it(`receive ${method} requests unchanged`, async () => {
      const body = method === 'GET' ? undefined : '{"not": parsed';
      const response = await edge
        .as('key-of-everything')
        .call(method, '/stream/a%2Fb/?x=%zz', body === undefined ? {} : { body });
      expect([response.status, response.text]).to.deep.equal([200, body ?? '']);
      expect(response.headers.get('x-url')).to.equal('/stream/a%2Fb/?x=%zz');
      expect(response.headers.get('x-caller')).to.equal('environment');
      expect(response.headers.get('svc-request-id')).to.match(/^[0-9a-f-]{36}$/);
      expect(response.headers.get('cache-control'), 'a header of the service').to.equal(null);
    });
  }

  it('cover their path, with any query, and all paths below it', async () => {
    for (const target of ['/stream', '/stream?a=b', '/stream/'])
      expect((await edge.as('key-of-everything').get(target)).headers.get('x-url'), target).to.equal(target);
    expect((await edge.as().get('/streams/x')).status).to.equal(404);
  });

  it('are guarded like every other route', async () => {
    const { status, body, headers } = await edge.as().get('/stream/x');
    expect([status, body.error.code, headers.get('svc-error')]).to.deep.equal([
      401,
      'missing_auth_header',
      'missing_auth_header',
    ]);
    expect((await edge.as('key-of-reading').get('/stream/x')).status).to.equal(403);
  });

  it('respond with an error that they throw before the response begins', async () => {
    const { status, headers } = await edge.as('key-of-everything').get('/stream/refused');
    expect([status, headers.get('svc-error')]).to.deep.equal([502, 'provider_unreachable']);
  });

  it('are cut when they throw later, never ended as if complete', async () => {
    const { text, closed } = await edge.raw(`GET /stream/broken HTTP/1.1\r\nHost: a\r\n${KEY}\r\n`);
    expect(closed).to.equal(true);
    expect(text).not.to.contain('\r\n0\r\n\r\n');
  });

  it('take WebSocket upgrades, including the first bytes', async () => {
    const socket = connect(edge.port, '127.0.0.1');
    socket.write(`GET /stream/x HTTP/1.1\r\n${UPGRADE}${KEY}\r\nfirst`);
    let text = '';
    while (!text.includes('first')) text += String((await once(socket, 'data'))[0]);
    expect(text).to.match(/^HTTP\/1\.1 101 [\s\S]*X-Caller: environment\r\n\r\nfirst$/);
    socket.destroy();
  });

  it('cut an upgraded connection whose handler throws', async () => {
    const { text, closed } = await edge.raw(`GET /stream/broken HTTP/1.1\r\n${UPGRADE}${KEY}\r\n`);
    expect([text, closed]).to.deep.equal(['HTTP/1.1 101 Switching Protocols\r\n\r\n', true]);
  });

  const REFUSED_UPGRADES: readonly (readonly [string, string, number])[] = [
    ['without a key', `GET /stream/x HTTP/1.1\r\n${UPGRADE}\r\n`, 401],
    ['with a lesser key', `GET /stream/x HTTP/1.1\r\n${UPGRADE}Authorization: Bearer key-of-reading\r\n\r\n`, 403],
    ['that the handler refuses', `GET /stream/refused HTTP/1.1\r\n${UPGRADE}${KEY}\r\n`, 502],
    ['with two Hosts', `GET /stream/x HTTP/1.1\r\n${UPGRADE}${KEY}Host: b\r\n\r\n`, 400],
  ];
  for (const [what, bytes, status] of REFUSED_UPGRADES) {
    it(`respond to upgrades ${what} with ${status}`, async () => {
      const response = await edge.raw(bytes);
      expect([response.status, response.closed]).to.deep.equal([status, true]);
      expect(response.text).to.match(/\r\nsvc-request-id: [0-9a-f-]{36}\r\n/);
      expect(Object.keys(JSON.parse(response.text.split('\r\n\r\n')[1] ?? '{}'))).to.deep.equal(['error']);
    });
  }
});
