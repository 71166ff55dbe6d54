import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { createServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { isUsableCertificate } from '../../../core/kit/client-certificate.ts';
import { createOutbound, type Outbound } from '../../../core/kit/outbound.ts';
import { rsaCertificate as first, ecCertificate as second } from '../../support/client-certificates.ts';
import { HostileResolver } from '../../support/hostile-resolver.ts';
import { listen } from '../../support/listen.ts';
import { outboundFault } from '../../support/outbound-fault.ts';
import { tlsIdentity } from '../../support/tls-identity.ts';

const NOBODY = 'no certificate';

describe('a client certificate', () => {
  const trusted = getCACertificates('default');
  const presented: string[] = [];
  // The server asks for a certificate and accepts any, as a proxy in front of a provider does.
  const server = createServer({ ...tlsIdentity, requestCert: true, rejectUnauthorized: false }, (socket: TLSSocket) => {
    const subject = socket.getPeerX509Certificate()?.subject;
    socket
      .on('error', () => undefined)
      .on('data', () => {
        presented.push(subject ?? NOBODY);
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
  }).on('tlsClientError', () => undefined);
  let outbound: Outbound;
  let url: string;

  before(async () => {
    setDefaultCACertificates([...trusted, tlsIdentity.cert]);
    url = `https://provider.test:${await listen(server)}/`;
  });
  beforeEach(() => {
    presented.length = 0;
    const resolver = new HostileResolver().script('provider.test', ['127.0.0.1']);
    outbound = createOutbound({ allow: ['127.0.0.1'], resolve: resolver.resolve });
  });
  afterEach(() => outbound[Symbol.asyncDispose]());
  after(async () => {
    setDefaultCACertificates(trusted);
    server.close();
    await once(server, 'close');
  });

  it('is presented only by calls that are made with it', async () => {
    await outbound.call(url);
    await outbound.withCertificate(first).call(url);
    await outbound.withCertificate(undefined).call(url);
    expect(presented).to.deep.equal([NOBODY, 'CN=first', NOBODY]);
  });

  it('never shares a connection with another certificate', async () => {
    for (const certificate of [first, second, first, { ...second }]) await outbound.withCertificate(certificate).call(url);
    expect(presented).to.deep.equal(['CN=first', 'CN=second', 'CN=first', 'CN=second']);
  });

  it('is presented by streams and upgrades, too', async () => {
    const { dispatcher, agent } = outbound.withCertificate(first);
    const response = await dispatcher.request({ origin: new URL(url).origin, path: '/', method: 'GET' });
    await response.body.dump();
    const { port } = new URL(url);
    await once(httpsRequest({ host: 'provider.test', port, agent: agent('https:') }).end(), 'response');
    expect(presented).to.deep.equal(['CN=first', 'CN=first']);
  });

  it('keeps its calls under way when a hundred other certificates are used', async () => {
    const call = outbound.withCertificate(first).call(url);
    for (let other = 0; other < 100; other += 1)
      outbound.withCertificate({ ...second, certificate: `${second.certificate}\n${other}` });
    expect(await call).to.have.property('status', 200);
    expect(await outbound.withCertificate(first).call(url)).to.have.property('status', 200);
  });

  for (const [misfit, certificate] of Object.entries({
    'no PEM': { certificate: 'certificate', privateKey: 'key' },
    'a certificate in place of its key': { certificate: first.certificate, privateKey: first.certificate },
  })) {
    it(`is not usable with ${misfit}, and a call with it fails before anything is sent`, async () => {
      expect(isUsableCertificate(certificate)).to.equal(false);
      const fault = await outboundFault(outbound.withCertificate(certificate).call(url));
      expect(fault).to.include({ code: 'unreachable', beforeSending: true });
    });
  }

  it('is usable with its own key only', () => {
    expect(isUsableCertificate(first)).to.equal(true);
    expect(isUsableCertificate({ ...first, privateKey: second.privateKey })).to.equal(false);
  });
});
