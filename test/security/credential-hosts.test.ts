import { expect } from 'chai';
import { rememberSecret } from '../support/canaries.ts';
import { secretsStayHome } from '../support/checker.ts';
import { type Connected, readConnection, throughProxy } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { PROVIDER, startNamedService } from '../support/named-service.ts';
import { use } from '../support/use.ts';

/** A host that must never receive credentials. */
const STRANGER = 'https://stranger.test';
const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 5;

/** Redirect targets with another origin, a weaker scheme, an internal address or a scheme other than HTTP. */
const ELSEWHERE = [
  `${STRANGER}/api/me`,
  '//stranger.test/api/me',
  'http://provider.test/api/me',
  'https://provider.test:8443/api/me',
  'https://provider.test./api/me',
  'https://sub.provider.test/api/me',
  'https://provider.test@stranger.test/',
  'https://user:password@provider.test/api/me',
  'http://127.0.0.1:3003/',
  'https://[::ffff:127.0.0.1]/',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/',
  'file:///etc/passwd',
  'gopher://provider.test/',
  'unix:/var/run/docker.sock',
  'javascript:alert(1)',
];

describe('credentials stay with their host', function () {
  this.timeout(60_000);
  const stranger = use(this, () => startFakeProvider({ openApi: true }));
  const service = use(this, startNamedService);
  let connected: Connected;
  before(async () => {
    service.net.add('stranger.test', stranger.url);
    await service.integrate('fake');
    await service.integrate('verified', { provider: 'verified', config: { api_base_url: `${PROVIDER}/api` } });
    await service.integrate('fetching', { provider: 'fetching' });
    connected = await service.connect('fake');
  });
  beforeEach(() => {
    service.net.dials.splice(0);
    for (const { ledger } of [service.provider, stranger]) ledger.entries.splice(0);
    service.provider.always('api', {});
  });
  afterEach(() => {
    for (const { params } of service.provider.ledger.of('token')) {
      if (params['code_verifier'] !== undefined) rememberSecret('provider: code verifier', params['code_verifier']);
    }
    const ledgers = [
      {
        host: PROVIDER,
        entries: service.provider.ledger.entries,
        mayReceive: (secret: string) => secret.startsWith('provider: '),
      },
      { host: STRANGER, entries: stranger.ledger.entries, mayReceive: () => false },
    ];
    expect(secretsStayHome(ledgers)).to.deep.equal([]);
    expect(service.net.strangers()).to.deep.equal([]);
  });

  const received = (endpoint: 'api' | 'token') => service.provider.ledger.of(endpoint).length;
  const sendTo = (status: number, location: string) => ({ response: { status, headers: { location } } });

  describe('when a proxied call is redirected (SSRF-03)', () => {
    for (const location of ELSEWHERE) {
      it(`to ${location}, which is passed on to the caller`, async () => {
        service.provider.next('api', sendTo(302, location));
        const response = await throughProxy(service.app, connected, { path: '/me' });
        expect(response.status).to.equal(302);
        expect(response.headers.get('location')).to.equal(location);
        expect(received('api')).to.equal(1);
        expect(stranger.ledger.entries).to.deep.equal([]);
      });
    }

    for (const hops of [1, MAX_REDIRECTS]) {
      it(`${hops} times within the origin, which is followed`, async () => {
        service.provider.next('api', ...Array.from({ length: hops }, () => sendTo(302, '/api/me')));
        expect((await throughProxy(service.app, connected, { path: '/x' })).status).to.equal(200);
        expect(received('api')).to.equal(hops + 1);
      });
    }

    it('endlessly, which the service stops following', async () => {
      service.provider.always('api', sendTo(302, '/api/loop'));
      expect((await throughProxy(service.app, connected, { path: '/loop' })).status).to.equal(302);
      expect(received('api')).to.equal(MAX_REDIRECTS + 1);
    });

    it('within the origin and then elsewhere, which is passed on to the caller', async () => {
      service.provider.next('api', sendTo(302, '/api/x'), sendTo(302, `${STRANGER}/`));
      const response = await throughProxy(service.app, connected, { path: '/x' });
      expect(response.headers.get('location')).to.equal(`${STRANGER}/`);
    });
  });

  for (const status of REDIRECTS) {
    for (const location of [`${STRANGER}/token`, '/token', 'http://169.254.169.254/token']) {
      it(`when the token endpoint answers ${status} to ${location} (SSRF-03)`, async () => {
        service.provider.next('token', sendTo(status, location));
        expect((await service.walk('fake')).status).to.equal(400);
        expect(received('token')).to.equal(1);
      });
    }

    it(`when a refresh is answered ${status} (SSRF-03)`, async () => {
      const mine = await service.connect('fake');
      await service.app.database.db('connections').update({ expires_at: new Date('2020-01-01T00:00:00Z') });
      service.provider.next('token', sendTo(status, `${STRANGER}/token`));
      expect((await readConnection(service.app, mine)).status).to.equal(503);
      expect(received('token')).to.equal(2);
      expect(stranger.ledger.entries).to.deep.equal([]);
    });

    it(`when a verification call or the fetch of a plugin is answered ${status} (SSRF-03)`, async () => {
      service.provider.next('api', sendTo(status, `${STRANGER}/api/me`), sendTo(status, `${STRANGER}/api/me`));
      // The exchange has proven that the token is valid, and a redirect does not disprove it, so the connection is created,
      // without following the redirect.
      expect((await service.walk('verified')).status).to.equal(200);
      expect((await service.walk('fetching', { params: { address: `${PROVIDER}/api/me` } })).status).to.equal(400);
      expect(received('api')).to.equal(2);
      expect(stranger.ledger.entries).to.deep.equal([]);
    });
  }

  it('unless the developer has listed another host and the key may name it', async () => {
    await service.integrate('two', { config: { allowed_hosts: 'second.test' } });
    service.net.add('second.test', service.provider.url);
    const mine = await service.connect('two');
    const call = (headers: Record<string, string>) => throughProxy(service.app, mine, { path: '/api/me', headers });
    expect((await call({ 'base-url-override': 'https://second.test' })).status).to.equal(200);
    expect((await call({ 'base-url-override': STRANGER })).body.error.code).to.equal('base_url_override_not_allowed');
    const other = await throughProxy(service.app, connected, {
      path: '/me',
      headers: { 'base-url-override': 'https://second.test' },
    });
    expect(other.body.error.code).to.equal('base_url_override_not_allowed');
  });

  it('and a violation would be detected', async () => {
    await fetch(`${stranger.url}/api/me`, { headers: { authorization: `Bearer ${service.provider.clientSecret}` } });
    const entries = stranger.ledger.entries.splice(0);
    const [violation] = secretsStayHome([{ host: STRANGER, entries, mayReceive: () => false }]);
    expect(violation?.invariant).to.equal('C6');
  });
});
