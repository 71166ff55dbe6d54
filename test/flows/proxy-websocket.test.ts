import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { WebSocket, WebSocketServer } from 'ws';
import { serve } from '../support/loopback-server.ts';
import { CALL_HEADERS, PROXY_KEY, startProxy } from '../support/proxy-harness.ts';
import { rawExchange } from '../support/raw-tcp.ts';
import { useEach } from '../support/use.ts';

describe('a WebSocket through the proxy', function () {
  const sockets = new WebSocketServer({ noServer: true });
  const seen: IncomingMessage[] = [];
  afterEach(() => {
    for (const client of sockets.clients) client.terminate();
  });
  const upstream = useEach(this, () => serve((_, response) => response.end()));
  const proxy = useEach(this, () => startProxy({ proxy: { base_url: `${upstream.url}/base` } }));
  let onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

  beforeEach(() => {
    seen.splice(0);
    onUpgrade = (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (client) => {
        client.on('message', (message, isBinary) => client.send(message, { binary: isBinary }));
      });
    upstream.server.on('upgrade', (request, socket, head) => {
      seen.push(request);
      onUpgrade(request, socket, head);
    });
  });

  function connect(headers: Readonly<Record<string, string>> = {}): WebSocket {
    const url = `ws://127.0.0.1:${proxy.edge.port}/proxy/a%2Fb//live?x=1`;
    return new WebSocket(url, ['chat'], { headers: { ...CALL_HEADERS, ...headers } });
  }

  async function refused(client: WebSocket): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
    client.on('error', () => undefined);
    const [, response]: [unknown, IncomingMessage] = await once(client, 'unexpected-response').then(([a, b]) => [a, b]);
    let body = '';
    response.on('data', (chunk) => (body += chunk)).on('error', () => undefined);
    await new Promise((resolve) => response.once('close', resolve));
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  }

  it('carries text and bytes both ways', async () => {
    const client = connect();
    await once(client, 'open');
    for (const message of ['text', Buffer.from([0, 255, 1]), 'x'.repeat(300_000)]) {
      client.send(message);
      const [echo, isBinary] = await once(client, 'message');
      expect(isBinary).to.equal(typeof message !== 'string');
      expect(echo.equals(Buffer.from(message))).to.equal(true);
    }
    client.close();
    await once(client, 'close');
  });

  it('is opened at the target of the connection with its credentials, without our key', async () => {
    const client = connect({ 'x-own': 'passes', cookie: 'a=b', 'svc-proxy-x-set': 'explicit' });
    await once(client, 'open');
    client.terminate();
    const [request] = seen;
    expect(request?.url).to.equal('/base/a%2Fb//live?x=1');
    expect(request?.headers).to.include({
      authorization: `Bearer ${proxy.vault.token}`,
      host: `127.0.0.1:${upstream.port}`,
      'x-own': 'passes',
      'x-set': 'explicit',
      'sec-websocket-protocol': 'chat',
    });
    expect(request?.headers).not.to.have.any.keys('cookie', 'connection-id', 'provider-config-key', 'svc-proxy-x-set');
    expect(JSON.stringify(request?.rawHeaders)).not.to.include(PROXY_KEY);
  });

  it('ends at the provider when the caller leaves', async () => {
    const client = connect();
    await once(client, 'open');
    const [atProvider] = sockets.clients;
    if (atProvider === undefined) throw new Error('nobody connected');
    client.terminate();
    await once(atProvider, 'close');
  });

  it('ends for the caller when the provider leaves', async () => {
    const client = connect();
    await once(client, 'open');
    for (const atProvider of sockets.clients) atProvider.terminate();
    await once(client, 'close');
  });

  it('ends on both sides when the service ends', async () => {
    const client = connect();
    await once(client, 'open');
    const [atProvider] = sockets.clients;
    if (atProvider === undefined) throw new Error('nobody connected');
    const ended = Promise.all([once(client, 'close'), once(atProvider, 'close')]);
    proxy.proxy[Symbol.dispose]();
    await ended;
  });

  it('gets the provider’s refusal as it came, without headers that act on our origin', async () => {
    onUpgrade = (_, socket) =>
      socket.end('HTTP/1.1 403 Forbidden\r\nX-Why: because\r\nSet-Cookie: a=b\r\nContent-Length: 2\r\n\r\nno');
    const response = await refused(connect());
    expect(response).to.deep.include({ status: 403, body: 'no' });
    expect(response.headers).to.include({ 'x-why': 'because', 'x-content-type-options': 'nosniff' });
    expect(response.headers).not.to.have.property('set-cookie');
  });

  it('passes on no cookies of the provider when it is opened', async () => {
    sockets.once('headers', (headers) => headers.push('Set-Cookie: a=b', 'X-Fine: yes'));
    const client = connect();
    const [response]: [IncomingMessage] = await once(client, 'upgrade').then(([first]) => [first]);
    expect(response.headers).to.include({ 'x-fine': 'yes' });
    expect(response.headers).not.to.have.property('set-cookie');
    client.terminate();
  });

  it('is refused in our own words when the provider breaks off', async () => {
    onUpgrade = (_, socket) => socket.destroy();
    expect((await refused(connect())).headers['svc-error']).to.equal('provider_unreachable');
  });

  it('is refused in our own words when the provider does not respond in time', async () => {
    onUpgrade = (_, socket) => void socket.resume().once('end', () => socket.end());
    const response = await refused(connect({ 'svc-timeout': '1' }));
    expect(response.headers['svc-error']).to.equal('provider_timeout');
    expect(response.status).to.equal(504);
  });

  it('is refused for an unknown connection before anything is dialled', async () => {
    expect((await refused(connect({ 'connection-id': 'other' }))).headers['svc-error']).to.equal('unknown_connection');
    expect(seen).to.deep.equal([]);
  });

  it('gives up the call to the provider when the caller leaves before it is open', async () => {
    const arrived = Promise.withResolvers<Duplex>();
    onUpgrade = (_, socket) => arrived.resolve(socket);
    const client = connect();
    client.on('error', () => undefined);
    const atProvider = await arrived.promise;
    client.terminate();
    await new Promise((resolve) =>
      atProvider
        .resume()
        .once('close', resolve)
        .once('end', () => atProvider.end()),
    );
  });

  it('leaves other upgrades to plain HTTP', async () => {
    const headers = Object.entries({ ...CALL_HEADERS, host: 'localhost', connection: 'Upgrade, close', upgrade: 'h2c' });
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const { bytes } = await rawExchange(proxy.edge.port, `GET /proxy/x HTTP/1.1\r\n${head}\r\n`);
    expect(bytes.toString()).to.match(/^HTTP\/1\.1 200 /);
  });
});
