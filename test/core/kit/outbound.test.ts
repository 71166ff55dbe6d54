import { once } from 'node:events';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { WebSocket, WebSocketServer } from 'ws';
import { createOutbound, type Outbound, OutboundError } from '../../../core/kit/outbound.ts';
import { type DialTarget, dialSocket } from '../../../core/kit/outbound-dial.ts';
import { HostileResolver } from '../../support/hostile-resolver.ts';
import { PUBLIC_ADDRESSES } from '../../support/inner-hosts.ts';
import { listen } from '../../support/listen.ts';
import { outboundFault } from '../../support/outbound-fault.ts';
import { rawServer } from '../../support/raw-tcp.ts';
import { RecordingDialler } from '../../support/recording-dialler.ts';
import { tlsIdentity } from '../../support/tls-identity.ts';

const LOOPBACK = ['127.0.0.1'];

describe('looking up and dialling', () => {
  it('are covered by the deadline of a call', async () => {
    const resolver = new HostileResolver().script('silent.test', 'silence').script('a.test', [PUBLIC_ADDRESSES[0]]);
    const dial = () => Promise.withResolvers<Socket>().promise;
    await using outbound = createOutbound({ allow: [], resolve: resolver.resolve, dial });
    expect((await outboundFault(outbound.call('https://silent.test/', { timeoutMs: 30 }))).code).to.equal('timeout');
    expect((await outboundFault(outbound.call('https://a.test/', { timeoutMs: 30 }))).code).to.equal('timeout');
  });

  it('fail alike for a name that does not exist and one without addresses', async () => {
    const resolver = new HostileResolver().script('empty.test', []);
    await using outbound = createOutbound({ allow: [], resolve: resolver.resolve });
    for (const name of ['none', 'empty']) {
      const fault = await outboundFault(outbound.call(`https://${name}.test/`));
      expect(fault).to.include({ code: 'unreachable', beforeSending: true });
    }
  });

  it('ask the name server once for all callers who wait for the same name', async () => {
    const resolver = new HostileResolver().script('silent.test', 'silence');
    await using outbound = createOutbound({ allow: [], resolve: resolver.resolve });
    await Promise.all([1, 2, 3].map(() => outboundFault(outbound.call('https://silent.test/', { timeoutMs: 30 }))));
    expect(resolver.queries).to.deep.equal(['silent.test']);
  });

  it('try the next address when one fails, with the name kept for the certificate', async () => {
    const dialler = new RecordingDialler();
    const resolver = new HostileResolver().script('two.test.', PUBLIC_ADDRESSES);
    await using outbound = createOutbound({ allow: [], resolve: resolver.resolve, dial: dialler.dial });
    await outboundFault(outbound.call('https://Two.Test.:8443/'));
    expect(dialler.dials.map(({ signal: _, ...target }) => target)).to.deep.equal(
      PUBLIC_ADDRESSES.map((address) => ({ address, port: 8443, host: 'two.test', tls: true, servername: 'two.test' })),
    );
  });

  it('send no server name to a host that is an address', async () => {
    const dialler = new RecordingDialler();
    await using outbound = createOutbound({ allow: [], dial: dialler.dial });
    await outboundFault(outbound.call(`https://[${PUBLIC_ADDRESSES[1]}]/`));
    expect(dialler.dials[0]).to.include({ address: PUBLIC_ADDRESSES[1], host: PUBLIC_ADDRESSES[1], port: 443 });
    expect(dialler.dials[0]).not.to.have.property('servername');
  });

  it('reveal to the log, but not to the caller, which address was refused', async () => {
    const lines: unknown[] = [];
    const resolver = new HostileResolver().script('inner.test', ['10.0.0.1']);
    const log = { warn: (message: string, facts?: Record<string, unknown>) => void lines.push({ message, facts }) };
    await using outbound = createOutbound({ allow: [], resolve: resolver.resolve, log });
    const fault = await outboundFault(outbound.call('https://inner.test/path?token=t'));
    expect(fault.message).to.equal('the address is not allowed');
    expect(lines).to.deep.equal([
      { message: 'outbound address refused', facts: { protocol: 'https:', host: 'inner.test', addresses: ['10.0.0.1'] } },
    ]);
  });
});

describe('plain http', () => {
  for (const [url, allow] of [
    ['http://tracker.test/', ['tracker.test']],
    ['http://tracker.test.:8080/', ['tracker.test:8080']],
    ['http://10.1.2.3/', ['10.0.0.0/8']],
    ['http://[::ffff:10.1.2.3]:81/', ['10.1.2.3:81']],
  ] as const) {
    it(`to ${url} is allowed if ${allow} is on the allow list`, async () => {
      await using outbound = createOutbound({ allow });
      expect(() => outbound.check(new URL(url))).not.to.throw();
    });
  }

  for (const [url, allow] of [
    ['http://tracker.test:8081/', ['tracker.test:8080']],
    ['http://sub.tracker.test/', ['tracker.test']],
    ['http://tracker.test/', ['0.0.0.0/0', '::/0']],
  ] as const) {
    it(`to ${url} is refused if only ${allow} is on the allow list`, async () => {
      await using outbound = createOutbound({ allow });
      expect(() => outbound.check(new URL(url))).to.throw(OutboundError);
    });
  }

  it('reaches the inner addresses of a name on the allow list, and https those of a network on it', async () => {
    const dialler = new RecordingDialler();
    const resolver = new HostileResolver().script('tracker.test', ['10.1.2.3', 'fd00::1']).script('wiki.test', ['10.1.2.4']);
    await using outbound = createOutbound({
      allow: ['tracker.test', '10.1.2.4/32'],
      resolve: resolver.resolve,
      dial: dialler.dial,
    });
    await outboundFault(outbound.call('http://tracker.test/'));
    await outboundFault(outbound.call('https://wiki.test/'));
    expect(dialler.dials.map(({ address }) => address)).to.deep.equal(['10.1.2.3', 'fd00::1', '10.1.2.4']);
  });
});

describe('TLS', () => {
  const servernames: unknown[] = [];
  const server = createTlsServer(tlsIdentity, (socket: TLSSocket) => {
    servernames.push(socket.servername);
    socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nok'));
  }).on('tlsClientError', () => undefined);
  const trusted = getCACertificates('default');
  let port: number;
  let outbound: Outbound;

  before(async () => {
    setDefaultCACertificates([...trusted, tlsIdentity.cert]);
    port = await listen(server);
  });

  beforeEach(() => {
    servernames.length = 0;
    const resolver = new HostileResolver().script('provider.test', LOOPBACK).script('other.test', LOOPBACK);
    outbound = createOutbound({ allow: LOOPBACK, resolve: resolver.resolve });
  });

  afterEach(() => outbound[Symbol.asyncDispose]());

  after(async () => {
    setDefaultCACertificates(trusted);
    server.close();
    await once(server, 'close');
  });

  it('names the host and accepts its certificate', async () => {
    expect((await outbound.call(`https://provider.test:${port}/`)).body.toString()).to.equal('ok');
    expect(servernames).to.deep.equal(['provider.test']);
  });

  it('takes no other name from a Host header', async () => {
    const fault = await outboundFault(outbound.call(`https://other.test:${port}/`, { headers: { Host: 'provider.test' } }));
    expect(fault).to.include({ code: 'unreachable', beforeSending: true });
    expect(fault.message).to.equal('no usable response: ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('names the host, not the Host header, through the agent for upgrades too', async () => {
    const options = { port, headers: { host: 'provider.test' }, agent: outbound.agent('https:') };
    await once(httpsRequest({ ...options, host: 'provider.test' }).end(), 'response');
    expect(servernames).to.deep.equal(['provider.test']);
    const fault = await outboundFault(
      once(httpsRequest({ ...options, host: 'other.test', servername: 'provider.test' }).end(), 'response'),
    );
    expect(fault.message).to.contain('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('refuses a certificate that does not name the address', async () => {
    expect((await outboundFault(outbound.call(`https://127.0.0.1:${port}/`))).message).to.contain('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('refuses an untrusted certificate, even if the process is configured to ignore that', async () => {
    setDefaultCACertificates(trusted);
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const fault = await outboundFault(outbound.call(`https://provider.test:${port}/`));
      expect(fault).to.include({ code: 'unreachable', message: 'no usable response: DEPTH_ZERO_SELF_SIGNED_CERT' });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      setDefaultCACertificates([...trusted, tlsIdentity.cert]);
    }
  });
});

describe('the agent for upgrades', () => {
  it('carries a WebSocket to an opened address', async () => {
    const listener = createHttpServer();
    const server = new WebSocketServer({ server: listener });
    const port = await listen(listener);
    server.on('connection', (socket) => socket.on('message', (bytes) => socket.send(bytes)));
    await using outbound = createOutbound({ allow: LOOPBACK });
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, { agent: outbound.agent('http:') });
    await once(socket, 'open');
    socket.send('hello');
    expect(String((await once(socket, 'message'))[0])).to.equal('hello');
    socket.terminate();
    listener.close();
    await once(listener, 'close');
  });

  it('ignores a socket path', async () => {
    const dialler = new RecordingDialler();
    await using outbound = createOutbound({ allow: [], dial: dialler.dial });
    const request = httpRequest({ socketPath: '/var/run/docker.sock', agent: outbound.agent('http:') }).end();
    const [error] = await once(request, 'error').catch((fault: unknown) => [fault]);
    expect(error).to.include({ code: 'address_not_allowed' });
  });
});

describe('closing the outbound client', () => {
  it('gives up the connection being dialled and tries no further address', async () => {
    const dialled: string[] = [];
    const started = Promise.withResolvers<void>();
    const dial = async ({ address, signal }: DialTarget): Promise<never> => {
      dialled.push(address);
      started.resolve();
      throw await once(signal, 'abort');
    };
    const resolver = new HostileResolver().script('two.test', PUBLIC_ADDRESSES);
    const outbound = createOutbound({ allow: [], resolve: resolver.resolve, dial });
    const fault = outboundFault(outbound.call('https://two.test/'));
    await started.promise;
    await outbound[Symbol.asyncDispose]();
    expect((await fault).code).to.equal('unreachable');
    expect(dialled).to.deep.equal([PUBLIC_ADDRESSES[0]]);
  });

  it('leaves no socket behind', async () => {
    const accepted = Promise.withResolvers<Socket>();
    await using server = await rawServer(accepted.resolve);
    const caller = new AbortController();
    const target = { address: '127.0.0.1', port: server.port, host: 'x.test', tls: true, servername: 'x.test' };
    const dialled = dialSocket({ ...target, signal: caller.signal }).catch((error: Error) => error.name);
    const closed = once(await accepted.promise, 'close');
    caller.abort();
    expect(await dialled).to.equal('AbortError');
    await closed;
  });
});
