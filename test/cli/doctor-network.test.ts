import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'chai';
import { checkNetwork } from '../../core/cli/doctor/network.ts';
import { checkPublicUrl } from '../../core/cli/doctor/public-url.ts';
import { systemClock } from '../../core/kit/clock.ts';
import { KeyRing, newKeyRingText } from '../../core/kit/key-ring.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { expectCheck, named } from '../support/doctor.ts';
import { freePort } from '../support/free-port.ts';
import { listen } from '../support/listen.ts';
import { startReverseProxy } from '../support/reverse-proxy.ts';
import { tlsIdentity } from '../support/tls-identity.ts';
import { use } from '../support/use.ts';

const SECOND = 1_000;

describe('doctor, on the way to the service', function () {
  const app = use(this, startApp);
  const believing = use(this, () => startApp({ env: { SVC_TRUSTED_PROXIES: '127.0.0.1/32' } }));
  const look = async (service: TestApp, baseUrl = service.url, keys = service.encryptionKeys) => {
    const SVC_TRUSTED_PROXIES = service === believing ? ['127.0.0.1/32'] : [];
    const config = { SVC_BASE_URL: baseUrl, HOST: '127.0.0.1', PORT: Number(new URL(service.url).port), SVC_TRUSTED_PROXIES };
    return checkNetwork({ config, keys: KeyRing.parse(keys), clock: service.clock });
  };

  it('finds nothing wrong with a service that is called directly', async () => {
    const { checks, serviceAheadMs } = await look(app);
    for (const check of checks) expectCheck(check, 'ok');
    expect(checks.map(({ name }) => name)).to.deep.equal(['public-url', 'proxy-headers', 'websocket', 'large-headers']);
    expect(serviceAheadMs).to.be.within(-SECOND, SECOND);
  });

  it('finds that the address has a wrong port', async () => {
    const { checks } = await look(app, `http://127.0.0.1:${await freePort()}`);
    expectCheck(named(checks, 'public-url'), 'fail', 'listens on', 'PORT');
    expectCheck(named(checks, 'proxy-headers'), 'warn', 'not checked');
  });

  it('finds that the certificate of the address is not trusted, or is for another host', async () => {
    const server = createTlsServer(tlsIdentity, (_, response) => response.end());
    const baseUrl = `https://localhost:${await listen(server)}`;
    const found = async () => named((await look(app, baseUrl)).checks, 'public-url');
    const trusted = getCACertificates('default');
    try {
      expectCheck(await found(), 'fail', `the certificate of ${baseUrl} is not trusted`, 'NODE_EXTRA_CA_CERTS');
      setDefaultCACertificates([...trusted, tlsIdentity.cert]);
      expectCheck(await found(), 'fail', 'ERR_TLS_CERT_ALTNAME_INVALID', 'a host name of the certificate');
    } finally {
      setDefaultCACertificates(trusted);
      server.close();
    }
  });

  it('finds that the certificate has expired', () => {
    const atBase = { kind: 'unreachable', reason: 'no', certificateFault: 'CERT_HAS_EXPIRED' } as const;
    const check = checkPublicUrl({ baseUrl: 'https://svc.example', localUrl: undefined, atBase, atLocal: undefined });
    expectCheck(check, 'fail', 'CERT_HAS_EXPIRED', 'renew it');
  });

  it('finds that the address leads nowhere', async () => {
    const { checks } = await look(app, `http://svc.invalid:${await freePort()}`);
    expectCheck(named(checks, 'public-url'), 'fail', app.url, 'DNS');
  });

  it('finds that another installation responds', async () => {
    const { checks } = await look(believing, app.url);
    expectCheck(named(checks, 'public-url'), 'fail', 'encryption keys');
  });

  it('finds that another program responds', async () => {
    const server = createServer((_, response) => response.end('{"result":"ok"}'));
    const baseUrl = `http://127.0.0.1:${await listen(server)}`;
    const { checks } = await look(app, baseUrl);
    server.close();
    expectCheck(named(checks, 'public-url'), 'fail', `another server responds at ${baseUrl} (200)`, app.url);
  });

  it('finds that the address only redirects', async () => {
    const server = createServer((_, response) => response.writeHead(308, { location: 'https://svc.example/health' }).end());
    const { checks } = await look(app, `http://127.0.0.1:${await listen(server)}`);
    server.close();
    expectCheck(named(checks, 'public-url'), 'fail', '308', 'https://svc.example');
  });

  it('says so when the service does not run', async () => {
    const port = await freePort();
    const config = { SVC_BASE_URL: `http://127.0.0.1:${port}`, HOST: '127.0.0.1', PORT: port, SVC_TRUSTED_PROXIES: [] };
    const { checks, serviceAheadMs } = await checkNetwork({ config, keys: undefined, clock: systemClock });
    expectCheck(named(checks, 'public-url'), 'warn', 'does not run here');
    expect(serviceAheadMs).to.equal(undefined);
  });

  it('finds a reverse proxy that is not trusted, and says what to set', async () => {
    await using proxy = await startReverseProxy(app.url);
    const { checks } = await look(app, proxy.url);
    expectCheck(named(checks, 'public-url'), 'ok');
    expectCheck(named(checks, 'proxy-headers'), 'warn', 'SVC_TRUSTED_PROXIES=127.0.0.1');
  });

  for (const forwarding of ['append', 'replace'] as const)
    it(`finds nothing wrong with a trusted reverse proxy (${forwarding})`, async () => {
      await using proxy = await startReverseProxy(believing.url, { forwarding });
      for (const check of (await look(believing, proxy.url)).checks) expectCheck(check, 'ok');
    });

  it('finds a reverse proxy that replaces what clients claim, but is not trusted', async () => {
    await using proxy = await startReverseProxy(app.url, { forwarding: 'replace' });
    expectCheck(named((await look(app, proxy.url)).checks, 'proxy-headers'), 'warn', 'SVC_TRUSTED_PROXIES=127.0.0.1');
  });

  it('finds a reverse proxy that lets callers forge their address', async () => {
    await using proxy = await startReverseProxy(believing.url, { forwarding: 'pass-on' });
    expectCheck(named((await look(believing, proxy.url)).checks, 'proxy-headers'), 'fail', 'forge their IP', 'append');
  });

  it('finds a reverse proxy that does not forward the caller’s address', async () => {
    await using proxy = await startReverseProxy(believing.url, { forwarding: 'drop' });
    expectCheck(
      named((await look(believing, proxy.url)).checks, 'proxy-headers'),
      'warn',
      'does not set',
      '$proxy_add_x_forwarded_for',
    );
  });

  it('finds a reverse proxy that does not forward WebSocket requests', async () => {
    await using proxy = await startReverseProxy(app.url, { passesUpgrades: false });
    expectCheck(named((await look(app, proxy.url)).checks, 'websocket'), 'warn', 'proxy_set_header Upgrade');
  });

  it('finds a reverse proxy that refuses large headers', async () => {
    await using proxy = await startReverseProxy(app.url, { maxHeaderBytes: 8 * 1024 });
    expectCheck(named((await look(app, proxy.url)).checks, 'large-headers'), 'warn', 'status 431');
  });

  it('hides from everybody else how requests arrive', async () => {
    const probes = [newKeyRingText(), app.encryptionKeys.slice(0, -4), 'x'.repeat(1_000), ''];
    for (const probe of probes) {
      const response = await app.client().get('/health', { headers: { 'svc-probe': probe } });
      expect([response.status, response.headers.get('svc-probe')]).to.deep.equal([200, null]);
    }
  });
});
