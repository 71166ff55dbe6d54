import { expect } from 'chai';
import { sweep } from '../support/canaries.ts';
import { throughProxy } from '../support/connect.ts';
import { startNamedService } from '../support/named-service.ts';
import { use } from '../support/use.ts';

/** Values that would change the host or path, end a header or be expanded as a template if they were inserted unescaped. */
const HOSTILE = [
  ...['evil.test/', 'evil.test#', 'evil.test?', 'evil.test\\', 'evil.test:443', '@evil.test', 'x@evil.test', 'x:y@evil.test'],
  ...['//evil.test', '\\\\evil.test', 'https://evil.test', 'https://a.provider.test@evil.test/', 'javascript:alert(1)'],
  ...['..', '.', '../..', '..%2f', '..%2f..', '%2e%2e', '%2e%2e%2f', '..\\', '..;/', './', '/', '//', '/etc/passwd', '%00', '%'],
  ...['evil.test\r\nHost: evil.test', 'a\r\nx-injected: 1', 'a\nb', 'a\tb', 'a\u0000b', 'a\u2028b', '\ufeffa', ' a', 'a '],
  ...['evil．test', 'evil。test', '․․', '‥', '…', 'ａ．ｂ', 'a\u202eb', 'xn--', 'i\u0307', '\ud800'],
  ...[
    '${accessToken}',
    '${credentials.refresh_token}',
    '${connectionConfig.region}',
    'base64(${accessToken})',
    '{{x}}',
    '$&',
    "$'",
    '$1',
  ],
  ...[
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '[::1]',
    'localhost.',
    '169.254.169.254',
    '-a',
    'a-',
    'a..b',
    '.a',
    'a.',
    'a,b',
    'a;b',
    'a&b=c',
  ],
  ...['a'.repeat(64), 'a'.repeat(5_000), '__proto__', 'constructor', '<script>', '"', "'", '`', '|', '^', '*'],
];

/** The pattern that the provider's definition requires of the subdomain. */
const PATTERN = /^[a-z0-9-]{1,63}$/;

/** Matches the path of a proxied call in which the value is a single segment. */
const SEGMENT = /^\/api\/[^/?#\\\s]+\/me$/;

describe('values in templates (SSRF-04)', function () {
  this.timeout(60_000);
  const service = use(this, startNamedService);
  before(async () => {
    for (const name of ['acme', ...HOSTILE.filter(isLabel)])
      service.net.add(`${name.toLowerCase()}.provider.test`, service.provider.url);
    await service.integrate('templated', { provider: 'templated' });
    await service.integrate('fake');
  });
  beforeEach(() => service.net.dials.splice(0));
  afterEach(() => expect(service.net.strangers()).to.deep.equal([]));

  /** Asserts that the service has dialled only the provider's domain and hosts below it. */
  function expectOwnHosts(): void {
    for (const { host, port } of service.net.dials)
      expect(`${host}:${port}`).to.match(/^(?:[a-z0-9-]{1,63}\.)?provider\.test:443$/);
  }

  for (const value of HOSTILE) {
    const shown = JSON.stringify(value.slice(0, 60));

    it(`cannot change the host when a user types ${shown} or a backend presets it`, async () => {
      const params = { subdomain: value, region: 'eu' };
      const defaults = { templated: { connection_config: params } };
      const typed = await service.walk('templated', { params });
      const fixed = await service.app.api.post('/connect/sessions', { integrations_config_defaults: defaults });
      expect(typed.status).to.equal(isLabel(value) ? 200 : 400);
      // A value that matches the pattern but cannot be part of a host name is accepted, but no host is found for it.
      expect(fixed.status).to.equal(PATTERN.test(value) ? 201 : 400);
      expectOwnHosts();
    });

    it(`stay a single segment and header when a user types ${shown}`, async () => {
      const { status } = await service.walk('templated', { params: { subdomain: 'acme', region: value } });
      if (status !== 200) return;
      const { body } = await service.app.api.get('/connections?limit=1');
      const connected = { connectionId: body.connections[0].connection_id, key: 'templated' };
      service.provider.ledger.entries.splice(0);
      const { status: actual, headers } = await throughProxy(service.app, connected, { path: '/me' });
      expectOwnHosts();
      const [received] = service.provider.ledger.entries;
      if (received === undefined) {
        expect(actual).to.be.oneOf([400, 424]);
        expect(headers.get('svc-error')).to.be.oneOf(['missing_api_url', 'invalid_credentials']);
        return;
      }
      expect(received.target).to.match(SEGMENT);
      const { authorization, ...others } = received.headers;
      expect(authorization).to.match(/^Bearer /);
      expect(others).not.to.have.property('x-injected');
      expect(sweep({ target: received.target, others: JSON.stringify(others) })).to.deep.equal([]);
    });

    it(`cannot change the host when the row holds ${shown}`, async () => {
      if (!value.isWellFormed() || value.includes('\0')) return;
      await service.walk('templated', { params: { subdomain: 'acme', region: 'eu' } });
      const { db } = service.app.database;
      const config = JSON.stringify({ subdomain: value });
      const [row] = await db('connections').orderBy('id', 'desc').limit(1);
      await db('connections')
        .where({ id: row.id })
        .update({
          connection_config: db.raw('connection_config || ?::jsonb', [config]),
          expires_at: new Date('2020-01-01T00:00:00Z'),
        });
      service.net.dials.splice(0);
      const connected = { connectionId: row.connection_id, key: 'templated' };
      const { status } = await throughProxy(service.app, connected, { path: '/me' });
      if (!isLabel(value)) expect(status).to.equal(503);
      expectOwnHosts();
      if (!isLabel(value)) expect(service.net.dials).to.deep.equal([]);
    });

    it(`lead nowhere else when an integration is created with ${shown}`, async () => {
      const made = await Promise.all(
        ['authorization_url', 'token_url', 'refresh_url', 'api_base_url', 'issuer'].map((name) =>
          service.integrate(`k-${name}-${HOSTILE.indexOf(value)}`, { config: { [name]: value } }),
        ),
      );
      const isUrl = value === 'https://evil.test';
      for (const { status } of made) expect(status).to.equal(isUrl ? 200 : 400);
    });
  }
});

function isLabel(value: string): boolean {
  return PATTERN.test(value) && !value.startsWith('-') && !value.endsWith('-');
}
