import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'chai';
import { WebSocket, WebSocketServer } from 'ws';
import { createOutbound, type Outbound } from '../../../core/kit/outbound.ts';
import { readProxy } from '../../../core/kit/outbound-proxy.ts';
import { ConnectProxy } from '../../support/connect-proxy.ts';
import { HostileResolver } from '../../support/hostile-resolver.ts';
import { PUBLIC_ADDRESSES } from '../../support/inner-hosts.ts';
import { listen } from '../../support/listen.ts';
import { outboundFault } from '../../support/outbound-fault.ts';
import { localhostIdentity, tlsIdentity } from '../../support/tls-identity.ts';

const USER = 'jane:p%40ss';
const AUTHORIZATION = `Basic ${Buffer.from('jane:p@ss').toString('base64')}`;

describe('calls through a proxy', () => {
  const trusted = getCACertificates('default');
  const answers = (request: IncomingMessage, response: ServerResponse) => response.end(`got ${request.url}`);
  const secure = createHttpsServer(tlsIdentity, answers);
  const plain = createHttpServer(answers);
  const names = new HostileResolver();
  let ports: { readonly secure: number; readonly plain: number };
  let proxy: ConnectProxy;
  let outbound: Outbound;

  before(async () => {
    setDefaultCACertificates([...trusted, tlsIdentity.cert, localhostIdentity.cert]);
    ports = { secure: await listen(secure), plain: await listen(plain) };
    names.script('proxy.internal', ['127.0.0.1']).script('localhost', ['127.0.0.1']).script('inner.test', ['127.0.0.1']);
  });
  beforeEach(() => openProxy());
  afterEach(() => close());
  after(async () => {
    setDefaultCACertificates(trusted);
    for (const server of [secure, plain]) {
      server.close();
      server.closeAllConnections();
    }
  });

  async function openProxy({
    tls = false,
    bypass = [] as readonly string[],
    allow = [] as readonly string[],
  } = {}): Promise<void> {
    proxy = await ConnectProxy.start({ tls, ports: { 'provider.test': ports.secure, 'plain.test': ports.plain } });
    const url = tls ? `https://${USER}@localhost:${proxy.port}` : `http://${USER}@proxy.internal:${proxy.port}`;
    outbound = createOutbound({ allow, proxy: readProxy(url, bypass), resolve: names.resolve });
    names.queries.length = 0;
  }
  async function close(): Promise<void> {
    await outbound[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  }
  async function reopen(options: Parameters<typeof openProxy>[0]): Promise<void> {
    await close();
    await openProxy(options);
  }

  it('reach a host through a tunnel; the proxy resolves its name, and the service checks its certificate', async () => {
    const { body } = await outbound.call('https://provider.test/a?b=1');
    expect(body.toString()).to.equal('got /a?b=1');
    expect(proxy.asked).to.deep.equal([{ authority: 'provider.test:443', authorization: AUTHORIZATION }]);
    expect(names.queries).to.deep.equal(['proxy.internal']);
    const fault = await outboundFault(outbound.call(`https://other.test:${ports.secure}/`));
    expect(fault).to.include({ code: 'unreachable', beforeSending: true });
  });

  it('keep the tunnel for later calls', async () => {
    for (const path of ['/1', '/2', '/3', '/4']) await outbound.call(`https://provider.test${path}`);
    // There may be two tunnels, because the second call may begin before the first tunnel is free again; network connections
    // without a proxy behave in the same way.
    expect(proxy.asked).to.have.length.below(3);
  });

  it('reach a host through a proxy over TLS', async () => {
    await reopen({ tls: true });
    expect((await outbound.call('https://provider.test/')).body.toString()).to.equal('got /');
    expect(proxy.asked[0]?.authorization).to.equal(AUTHORIZATION);
  });

  it('by plain http are also tunnelled, but only to hosts on the allow list', async () => {
    await reopen({ allow: ['plain.test'] });
    expect((await outbound.call('http://plain.test:8080/x')).body.toString()).to.equal('got /x');
    expect(proxy.asked[0]?.authority).to.equal('plain.test:8080');
    expect((await outboundFault(outbound.call('http://provider.test/'))).code).to.equal('address_not_allowed');
  });

  it('carry WebSockets', async () => {
    await reopen({ allow: ['plain.test'] });
    const server = new WebSocketServer({ server: plain });
    server.on('connection', (socket) => socket.on('message', (bytes) => socket.send(bytes)));
    const socket = new WebSocket('ws://plain.test/', { agent: outbound.agent('http:') });
    await once(socket, 'open');
    socket.send('hello');
    expect(String((await once(socket, 'message'))[0])).to.equal('hello');
    expect(proxy.asked[0]?.authority).to.equal('plain.test:80');
    socket.terminate();
    server.close();
  });

  it('to literal addresses are judged by the service, and calls to names of the machine itself are refused', async () => {
    const inner = [
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/',
      'https://localhost/',
      'https://a.localhost./',
    ];
    for (const url of inner) expect((await outboundFault(outbound.call(url))).code, url).to.equal('address_not_allowed');
    expect(proxy.asked).to.deep.equal([]);
    proxy.answer = 'HTTP/1.1 502 Bad Gateway\r\n\r\n';
    await outboundFault(outbound.call(`https://[${PUBLIC_ADDRESSES[1]}]:8443/`));
    expect(proxy.asked.map(({ authority }) => authority)).to.deep.equal([`[${PUBLIC_ADDRESSES[1]}]:8443`]);
  });

  it('do not use the proxy for bypassed hosts, which are judged as without a proxy', async () => {
    await reopen({ bypass: ['inner.test', `127.0.0.0/8`, '10.0.0.0/8'], allow: [`127.0.0.1:${ports.plain}`] });
    expect((await outbound.call(`http://127.0.0.1:${ports.plain}/`)).body.toString()).to.equal('got /');
    expect((await outboundFault(outbound.call(`https://inner.test:${ports.secure}/`))).code).to.equal('address_not_allowed');
    expect((await outboundFault(outbound.call('https://10.0.0.1/'))).code).to.equal('address_not_allowed');
    expect(proxy.asked).to.deep.equal([]);
    // A network in the bypass list matches literal addresses, not the addresses of a name.
    await reopen({ bypass: ['127.0.0.0/8'] });
    await outbound.call('https://provider.test/');
    expect(proxy.asked).to.have.length(1);
  });

  for (const [what, answer, message] of [
    ['refuses the user', 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', 'the outbound proxy refused a tunnel with 407'],
    ['does not find the host', 'HTTP/1.1 502 Bad Gateway\r\nX: 1\r\n\r\n', 'the outbound proxy refused a tunnel with 502'],
    ['is none', 'SSH-2.0-server\r\n', 'the outbound proxy does not speak HTTP'],
    ['speaks for the host', 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', 'the outbound proxy does not speak HTTP'],
    ['sends no end of headers', `HTTP/1.1 200 OK\r\n${'X: 1\r\n'.repeat(5_000)}`, 'the outbound proxy does not speak HTTP'],
    ['closes', '\r\n', 'the outbound proxy does not speak HTTP'],
  ] as const) {
    it(`fail before anything is sent when it ${what}`, async () => {
      proxy.answer = answer;
      const fault = await outboundFault(outbound.call('https://provider.test/', { method: 'POST', body: 'x' }));
      expect(fault).to.include({ code: 'unreachable', beforeSending: true, message });
    });
  }

  it('fail in time when it is silent, and leave no connection', async () => {
    proxy.answer = '';
    const fault = await outboundFault(outbound.call('https://provider.test/', { timeoutMs: 200 }));
    expect(fault.code).to.equal('timeout');
    await outbound[Symbol.asyncDispose]();
    for (const socket of proxy.open) await once(socket, 'close');
  });

  it('fail when there is no proxy', async () => {
    await proxy[Symbol.asyncDispose]();
    const fault = await outboundFault(outbound.call('https://provider.test/'));
    expect(fault).to.include({ code: 'unreachable', beforeSending: true, message: 'no usable response: ECONNREFUSED' });
  });
});
