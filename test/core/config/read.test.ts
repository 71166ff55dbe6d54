import { expect } from 'chai';
import { ConfigError, readConfig } from '../../../core/config/read.ts';
import { words } from '../../support/words.ts';

// The keys are not random because they are part of test titles, which must be the same in every run.
const [KEY, OTHER_KEY] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
const DATABASE = { DATABASE_URL: 'postgres://svc:pw@db.internal:5432/svc', SVC_ENCRYPTION_KEYS: `k1:${KEY}` };

const WRONG: Readonly<Record<string, readonly string[]>> = {
  PORT: [...words`abc -1 65536 1.5 1e3 0x10 １`, ' 80', '80 '],
  HOST: ['a b', 'http://a', 'a/b', '999.1.1.1', '1.2.3'],
  SVC_BASE_URL: words`svc.test ftp://svc.test https://u:p@svc.test https://svc.test?x=1 https://svc.test/#x`,
  DATABASE_URL: ['mysql://a/b', 'postgres:a', 'postgres://a,b/svc', 'postgres://a:port/b', 'postgres://a b/c', 'db.internal'],
  SVC_ROLE: ['both'],
  SVC_ENCRYPTION_KEYS: [KEY, `k1:${OTHER_KEY.slice(4)}`, `k1:${KEY},`, `k1:${KEY},k1:${OTHER_KEY}`],
  SVC_BOOTSTRAP_API_KEY: ['a'.repeat(31), `${'a'.repeat(32)} `],
  SVC_BOOTSTRAP_ACCOUNT_KEY: ['a'.repeat(31)],
  SVC_OUTBOUND_ALLOW: [...words`a,,b a, *.internal http://a a:0 a:65536 a:b 10.0.0.0/33 10.0.0.256 0x7f.1 [::1 ::1/129`, ' '],
  SVC_OUTBOUND_PROXY: words`proxy:3128 socks5://proxy:1080 http://proxy:3128/path http://proxy:3128/?x http://u:%zz@proxy:3128`,
  SVC_OUTBOUND_PROXY_BYPASS: ['*.internal', '10.0.0.0/33'],
  SVC_TRUSTED_PROXIES: ['proxy.internal'],
  SVC_METRICS_TOKEN: ['a'.repeat(31)],
  SVC_SECURITY_CONTACT: [
    ...words`security@example.com http://example.com https:example.com https://u:p@example.com mailto: mailto:a mailto:@b`,
    ...words`mailto:a@b,c@d tel:12x javascript:alert(1) https://exämple.com mailto:<a@b> ftp://example.com`,
    'mailto:a@b\nContact: mailto:c@d',
    'mailto:a b@c',
    'mailto:a@b,',
  ],
  SVC_SCRIPT_TIMEOUT_MS: ['0'],
  SVC_SCRIPT_MEMORY_MB: ['64MB'],
  SVC_BACKUP_KEEP: ['0'],
  SVC_POOL_SIZE: ['4', '501'],
  SVC_SCRIPT_WORKERS: ['0'],
  SVC_REFRESH_MARGIN_SECONDS: ['-900'],
  SVC_LOG_RETENTION_DAYS: ['0'],
  SVC_LOG_MAX_MB: ['63'],
  SVC_LOG_LEVEL: ['verbose'],
  SVC_RATE_LIMIT_PER_MINUTE: ['off'],
  SVC_RATE_LIMIT_FAILURES_PER_MINUTE: [' '],
  SVC_FRAME_ANCESTORS: [
    ...words`self none https://a.test; a.test,b.test ftp://a.test https://a.test/path https://u@a.test javascript: 'unsafe-inline'`,
    ' ',
    "'self' 'none'",
    'a.test\nX-Other: 1',
  ],
  SVC_COMPANY_LOGOS: [
    ...words`on https://a.test/ http://a.test/{domain} https://{domain}/ https://a.{domain}/ https://u@a.test/{domain}`,
    ' ',
  ],
  SVC_OIDC_ALLOWED_DOMAINS: ['acme.example,', 'acme', '@acme.example', '*.acme.example'],
  SVC_CLIENT_PREFIX: ['Svc', 'X-Old', '1a', 'a'.repeat(33)],
  SVC_LEGACY_PUBLIC_KEY: ['true', '1', 'ON', 'yes'],
  FAULT_AT: ['name', 'name:0', 'name:x', ':1', 'a:1:2'],
};

const RIGHT: ReadonlyArray<readonly [name: string, value: string, read: unknown]> = [
  ['PORT', '0', 0],
  ['HOST', '::1', '::1'],
  ['SVC_BASE_URL', 'https://svc.test/', 'https://svc.test'],
  ['SVC_BASE_URL', 'https://svc.test:8443/gateway/', 'https://svc.test:8443/gateway'],
  ['SVC_ROLE', 'worker', 'worker'],
  ['SVC_PROVIDERS_DIR', '/a:/b c:', ['/a', '/b c']],
  [
    'SVC_OUTBOUND_ALLOW',
    '127.0.0.1/32, tracker.internal,a:80,[::1]:80,::1,fd00::/8',
    ['127.0.0.1/32', 'tracker.internal', 'a:80', '[::1]:80', '::1', 'fd00::/8'],
  ],
  ['SVC_OIDC_ALLOWED_DOMAINS', 'Acme.example , b.test', ['acme.example', 'b.test']],
  ['SVC_TRUSTED_PROXIES', '10.0.0.0/8,::1', ['10.0.0.0/8', '::1']],
  ['SVC_SECURITY_CONTACT', 'mailto:a@b.test, https://b.test/x,tel:+1-2', ['mailto:a@b.test', 'https://b.test/x', 'tel:+1-2']],
  ['SVC_RATE_LIMIT_FAILURES_PER_MINUTE', '0', 0],
  [
    'SVC_FRAME_ANCESTORS',
    "'self'  https://app.test *.app.test http://localhost:*",
    "'self' https://app.test *.app.test http://localhost:*",
  ],
  ['SVC_FRAME_ANCESTORS', "'none'", "'none'"],
  ['SVC_FRAME_ANCESTORS', '*', '*'],
  ['SVC_CLIENT_PREFIX', 'Old', 'Old'],
  ['SVC_LEGACY_PUBLIC_KEY', 'on', true],
  ['FAULT_AT', 'refresh.stored:2', 'refresh.stored:2'],
];

describe('readConfig', () => {
  it('starts from an empty environment with the documented defaults', () => {
    const { config, warnings } = readConfig({});
    expect(config).to.deep.include({ PORT: 3003, HOST: '127.0.0.1', SVC_BASE_URL: 'http://localhost:3003', SVC_ROLE: 'all' });
    expect(config).to.deep.include({
      SVC_OUTBOUND_ALLOW: [],
      SVC_LEGACY_PUBLIC_KEY: false,
      SVC_RATE_LIMIT_FAILURES_PER_MINUTE: 600,
    });
    expect([config.DATABASE_URL, config.SVC_DATA_DIR, config.SVC_CLIENT_PREFIX]).to.deep.equal([undefined, undefined, undefined]);
    expect(warnings).to.deep.equal([]);
  });

  for (const [name, value, read] of RIGHT) {
    it(`reads ${name}=${value}`, () => {
      expect(readConfig({ [name]: value }).config)
        .to.have.property(name)
        .that.deep.equals(read);
    });
  }

  for (const [name, value] of Object.entries(WRONG).flatMap(([name, values]) => values.map((value) => [name, value] as const))) {
    it(`refuses ${name}=${JSON.stringify(value).slice(0, 60)}`, () => {
      expect(faultsOf({ ...DATABASE, [name]: value })).to.satisfy(
        (faults: string[]) => faults.length === 1 && faults[0]?.startsWith(`${name} `),
      );
    });
  }

  it('makes the base URL from the port', () => {
    expect(readConfig({ PORT: '8080' }).config.SVC_BASE_URL).to.equal('http://localhost:8080');
  });

  for (const url of [
    'postgresql://db.internal/svc',
    'postgres://svc@%2Fvar%2Flib%2Fsvc%20data/svc',
    'postgres://svc@/svc?host=/run/a,b',
  ]) {
    it(`takes ${url}`, () => {
      expect(readConfig({ ...DATABASE, DATABASE_URL: url }).config.DATABASE_URL).to.equal(url);
    });
  }

  it('counts empty variables as unset', () => {
    const names = words`PORT DATABASE_URL SVC_ENCRYPTION_KEYS SVC_OUTBOUND_ALLOW SVC_RATE_LIMIT_FAILURES_PER_MINUTE FAULT_AT`;
    expect(readConfig(Object.fromEntries(names.map((name) => [name, '']))).config).to.deep.equal(readConfig({}).config);
  });

  it('names every fault at once', () => {
    const faults = faultsOf({
      PORT: 'x',
      SVC_ROLE: 'x',
      SVC_OUTBOUND_ALLOW: 'a,*,b,/',
      DATABASE_URL: 'postgres://a/b',
      FAULT_AT: 'a:1',
      NODE_ENV: 'production',
    });
    expect(faults.map((fault) => fault.split(' ').slice(0, 3).join(' '))).to.deep.equal([
      'PORT must be',
      'SVC_ROLE must be',
      'SVC_OUTBOUND_ALLOW item 2',
      'SVC_OUTBOUND_ALLOW item 4',
      'SVC_ENCRYPTION_KEYS must be',
      'FAULT_AT must not',
    ]);
  });

  it('names the faults in its message as well, without repeating a value', () => {
    const canary = 'canary-7d2f';
    const env = Object.fromEntries(Object.keys(WRONG).map((name) => [name, `${canary} ${name}`]));
    const error = catchError(() => readConfig(env));
    expect(error).to.be.instanceOf(ConfigError);
    expect(String(error)).to.contain('SVC_ENCRYPTION_KEYS key 1').and.contain('SVC_LEGACY_PUBLIC_KEY must be on or off');
    expect(String(error)).not.to.contain(canary);
  });

  it('requires encryption keys if a database is configured', () => {
    expect(faultsOf({ DATABASE_URL: DATABASE.DATABASE_URL }))
      .to.have.length(1)
      .and.to.have.property('0')
      .that.contains('SVC_ENCRYPTION_KEYS');
  });

  it('requires different bootstrap keys for the API and for the account', () => {
    const same = 'k'.repeat(32);
    expect(faultsOf({ SVC_BOOTSTRAP_API_KEY: same, SVC_BOOTSTRAP_ACCOUNT_KEY: same })).to.have.length(1);
    expect(faultsOf({ SVC_BOOTSTRAP_API_KEY: same, SVC_BOOTSTRAP_ACCOUNT_KEY: 'a'.repeat(32) })).to.deep.equal([]);
  });

  for (const env of [{ FAULT_AT: 'a:1' }, { NODE_TLS_REJECT_UNAUTHORIZED: '0' }]) {
    it(`refuses ${Object.keys(env)[0]} in production only`, () => {
      expect(faultsOf(env)).to.deep.equal([]);
      expect(faultsOf({ ...env, NODE_ENV: 'production' })).to.have.length(1);
    });
  }

  for (const [name, value] of [
    ['SVC_PROT', '1'],
    ['SVC_BASE_URL', 'http://svc.test'],
    ['SVC_OUTBOUND_ALLOW', '0.0.0.0/0'],
    ['SVC_LEGACY_PUBLIC_KEY', 'on'],
    ['HTTPS_PROXY', 'http://proxy.internal:3128'],
    ['all_proxy', 'http://proxy.internal:3128'],
  ] as const) {
    it(`warns of ${name}=${value}`, () => {
      const { warnings } = readConfig({ [name]: value });
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.contain(name);
    });
  }

  it('does not warn of other proxy variables if the service has its own proxy setting', () => {
    const both = { HTTPS_PROXY: 'http://proxy.internal:3128', SVC_OUTBOUND_PROXY: 'http://u:p@proxy.internal:3128' };
    expect(readConfig(both).warnings).to.deep.equal([]);
  });

  it('does not warn of foreign variables or plain http on this machine', () => {
    expect(readConfig({ PATH: '/bin', npm_config_x: '1', SVC_BASE_URL: 'http://127.0.0.1:3003' }).warnings).to.deep.equal([]);
  });

  it('cannot be changed afterwards', () => {
    const { config } = readConfig({});
    expect(
      [config, config.SVC_OUTBOUND_ALLOW, config.SVC_PLUGINS_DIR, config.SVC_TRUSTED_PROXIES].every(Object.isFrozen),
    ).to.equal(true);
  });
});

function faultsOf(env: Record<string, string>): readonly string[] {
  const error = catchError(() => readConfig(env));
  if (error === undefined) return [];
  if (error instanceof ConfigError) return error.faults;
  throw error;
}

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
