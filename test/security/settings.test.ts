import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { type Catalogue, readCatalogue } from '../../core/catalogue/catalogue.ts';
import { ConfigError, readConfig } from '../../core/config/read.ts';
import { type Config, settings } from '../../core/config/schema.ts';
import { readSharedApps, SharedAppsFault } from '../../core/connections/integrations/shared-apps.ts';
import { startApp } from '../support/app.ts';
import { makeFolders } from '../support/folders.ts';
import { projectFolder } from '../support/source-files.ts';

type Name = keyof typeof settings;

/** Values that an operator may give to an environment variable by mistake. */
const MISTAKES: Readonly<Record<string, string | undefined>> = {
  nothing: undefined,
  'an empty text': '',
  'a space': ' ',
  'a tab and a line break': '\t\n',
  'an empty list': '[]',
  'an empty object': '{}',
  'broken JSON': '{"a":',
  'a list in JSON': '["127.0.0.1"]',
  'two quotes': '""',
  'a quoted value': '"on"',
  null: 'null',
  undefined: 'undefined',
  true: 'true',
  false: 'false',
  yes: 'yes',
  no: 'no',
  ON: 'ON',
  'on with a space': 'on ',
  one: '1',
  'minus one': '-1',
  'a fraction': '0.5',
  'a number with an exponent': '1e9',
  'a number that is none': 'NaN',
  infinity: 'Infinity',
  'a star': '*',
  'any address': '0.0.0.0',
  'any host below a name': '*.internal',
  'a comma': ',',
  'a semicolon': 'a;b',
  'a placeholder that was not filled': '${SVC_SETTING}',
  'another placeholder': '<change me>',
  'a comment': 'off # for now',
  'digits of another script': '٣',
  'a line break and another setting': 'off\nSVC_LEGACY_PUBLIC_KEY=on',
  'a very long text': 'x'.repeat(100_000),
};

/** For each setting, whether a value is safe. A mistake must result in a safe value or stop the start. */
const SHUT: Readonly<Partial<Record<Name, (value: unknown) => boolean>>> = {
  HOST: (value) => value === '127.0.0.1' || typeof value === 'string',
  SVC_BASE_URL: (value) => value === 'http://localhost:3003',
  DATABASE_URL: (value) => value === undefined,
  SVC_ROLE: (value) => value === 'all',
  SVC_ENCRYPTION_KEYS: (value) => value === undefined,
  SVC_BOOTSTRAP_API_KEY: (value) => value === undefined || isStrong(value),
  SVC_BOOTSTRAP_ACCOUNT_KEY: (value) => value === undefined || isStrong(value),
  SVC_METRICS_TOKEN: (value) => value === undefined || isStrong(value),
  // A word is read as the name of one host, which does not exist.
  SVC_OUTBOUND_ALLOW: (value) => Array.isArray(value) && value.every((item) => /^[a-z0-9]+$/i.test(item) || item === '0.0.0.0'),
  // A mistake must not set a proxy, because calls would then go to a host that nobody has chosen.
  SVC_OUTBOUND_PROXY: (value) => value === undefined,
  SVC_OUTBOUND_PROXY_BYPASS: (value) =>
    Array.isArray(value) && value.every((item) => /^[a-z0-9]+$/i.test(item) || item === '0.0.0.0'),
  SVC_TRUSTED_PROXIES: (value) => Array.isArray(value) && value.every((item) => item === '0.0.0.0'),
  SVC_SECURITY_CONTACT: (value) => Array.isArray(value) && value.length === 0,
  SVC_RATE_LIMIT_PER_MINUTE: (value) => value === 0 || value === 1,
  SVC_WEBHOOK_MAX_BODY_MB: (value) => value === 10 || value === 1,
  SVC_RATE_LIMIT_FAILURES_PER_MINUTE: (value) => value === 600 || value === 1,
  SVC_REFRESH_MARGIN_SECONDS: (value) => value === 900 || value === 1,
  SVC_LOG_RETENTION_DAYS: (value) => value === 15 || value === 1,
  SVC_BACKUP_KEEP: (value) => value === 7 || value === 1,
  SVC_LOG_MAX_MB: (value) => value === 4096,
  SVC_SCRIPT_TIMEOUT_MS: (value) => value === 30_000,
  SVC_SCRIPT_MEMORY_MB: (value) => value === 64,
  SVC_SCRIPT_WORKERS: (value) => value === 2 || value === 1,
  SVC_LOG_LEVEL: (value) => value === 'info',
  // A star is valid, and a word is read as the name of one host, which does not exist.
  SVC_FRAME_ANCESTORS: (value) =>
    settings.SVC_FRAME_ANCESTORS.parse(undefined) === value ||
    ['*', '*.internal', '0.0.0.0', '0.5'].includes(String(value)) ||
    /^[\w-]+$/.test(String(value)),
  SVC_CLIENT_PREFIX: (value) => value === undefined || /^[a-z][a-z0-9]{0,31}$/i.test(String(value)),
  SVC_LEGACY_PUBLIC_KEY: (value) => value === false,
  SVC_ALLOW_HTTP: (value) => value === false,
  SVC_REQUIRE_MFA: (value) => value === 'off',
  SVC_COMPANY_LOGOS: (value) => value === 'own',
  SVC_ADMIN_EMAIL: (value) => value === undefined,
  SVC_OIDC_ISSUER: (value) => value === undefined,
  SVC_OIDC_ONLY: (value) => value === false,
  SVC_OIDC_ALLOWED_DOMAINS: (value) => Array.isArray(value) && value.length === 0,
  // A mistake must not send spans to a host that nobody has chosen.
  OTEL_EXPORTER_OTLP_ENDPOINT: (value) => value === undefined,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: (value) => value === undefined,
  OTEL_TRACES_EXPORTER: (value) => value === undefined,
  OTEL_SDK_DISABLED: (value) => value === undefined || value === 'true' || value === 'false',
  FAULT_AT: (value) => value === undefined,
};
/** Settings that are paths, so any text is valid. A missing file or folder stops the start. */
const PATHS: readonly Name[] = [
  'SVC_DATA_DIR',
  'SVC_BACKUP_DIR',
  'SVC_BACKUP_PASSPHRASE_FILE',
  'SVC_PROVIDERS_DIR',
  'SVC_PLUGINS_DIR',
  'SVC_SCRIPTS_DIR',
  'SVC_SHARED_APPS_FILE',
  'SVC_ADMIN_PASSWORD_FILE',
];
/** Settings that cannot make the service less safe. */
const HARMLESS: readonly Name[] = [
  'PORT',
  'SVC_POOL_SIZE',
  'NODE_ENV',
  'CHROMIUM',
  'SVC_OIDC_CLIENT_ID',
  'SVC_OIDC_CLIENT_SECRET',
  'SVC_OIDC_NAME',
  'SVC_OIDC_ADMIN_GROUP',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_BSP_EXPORT_TIMEOUT',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
];

function isStrong(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 32 && value.length <= 255;
}

/**
 * Returns the configuration; undefined if the service would not start.
 *
 * @throws AssertionError if the message names another setting, or the value, which may be a secret
 */
function read(name: Name, value: string | undefined): Config | undefined {
  try {
    return readConfig({ [name]: value }).config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) expect(fault).to.match(new RegExp(`^(?:${name}|SVC_ENCRYPTION_KEYS) `));
    if (value !== undefined && value.length > 6) expect(String(error)).not.to.contain(value);
    return undefined;
  }
}

describe('a setting with a mistake (CFG-01)', () => {
  it('is tested for every setting', () => {
    const covered = [...Object.keys(SHUT), ...PATHS, ...HARMLESS];
    expect(Object.keys(settings).filter((name) => !covered.includes(name))).to.deep.equal([]);
  });

  for (const [name, isShut] of Object.entries(SHUT) as [Name, (value: unknown) => boolean][]) {
    it(`${name} stops the start, or is as safe as when it is not set`, () => {
      for (const [what, value] of Object.entries(MISTAKES)) {
        const config = read(name, value);
        if (config !== undefined)
          expect(isShut(config[name]), `${what}: ${JSON.stringify(config[name])?.slice(0, 80)}`).to.equal(true);
      }
    });
  }

  it('HOST is loopback unless it is set to an address', () => {
    for (const value of [undefined, '']) expect(readConfig({ HOST: value }).config.HOST).to.equal('127.0.0.1');
    for (const value of ['*', ' ', '0', '::/0', '[::]', '0.0.0.0:80', '"0.0.0.0"'])
      expect(read('HOST', value), value).to.equal(undefined);
  });

  for (const name of ['SVC_OUTBOUND_ALLOW', 'SVC_TRUSTED_PROXIES'] as const) {
    it(`${name} warns when it names every address`, () => {
      for (const value of ['0.0.0.0/0', '::/0', '10.0.0.0/8,0.0.0.0/0']) {
        const { warnings } = readConfig({ [name]: value });
        expect(
          warnings.filter((warning) => warning.startsWith(`${name} `)),
          value,
        ).to.have.length(1);
      }
    });

    it(`${name} is refused as a whole for one invalid item`, () => {
      for (const item of ['', '*', 'http://a', '10.0.0.0/33', '10.0.0/8', '0x0/0', '[]', '10.0.0.0/-1', '10.0.0.0/8/8']) {
        expect(read(name, `10.1.2.3,${item}`), item).to.equal(undefined);
      }
    });
  }

  it('SVC_ENCRYPTION_KEYS are never generated if a database is configured', () => {
    const url = 'postgres://svc:pw@db.internal/svc';
    for (const [what, value] of Object.entries(MISTAKES)) {
      expect(() => readConfig({ DATABASE_URL: url, SVC_ENCRYPTION_KEYS: value }), what).to.throw(ConfigError);
    }
  });

  it('SVC_ENCRYPTION_KEYS must have 32 bytes each, and an invalid one is never skipped', () => {
    const good = `k1:${randomBytes(32).toString('base64')}`;
    expect(read('SVC_ENCRYPTION_KEYS', good)).not.to.equal(undefined);
    const short = (bytes: number) => `k2:${randomBytes(bytes).toString('base64')}`;
    for (const second of [short(16), short(31), short(33), short(64), 'k2:', 'k2', ':', good, `k2:${'*'.repeat(43)}`]) {
      expect(read('SVC_ENCRYPTION_KEYS', `${good},${second}`), second).to.equal(undefined);
      expect(read('SVC_ENCRYPTION_KEYS', `${second},${good}`), second).to.equal(undefined);
    }
  });

  it('an unknown name changes nothing and is reported', () => {
    const names = ['SVC_OUTBOUND_DENY', 'SVC_OUTBOUND_ALOW', 'SVC_LEGACY_PUBLIC_KEYS', 'SVC_ENCRYPTION_KEY', 'SVC_', 'SVC_AUTH'];
    const { config, warnings } = readConfig(Object.fromEntries(names.map((name) => [name, 'on'])));
    expect(config).to.deep.equal(readConfig({}).config);
    for (const name of names)
      expect(
        warnings.some((warning) => warning.startsWith(`${name} `)),
        name,
      ).to.equal(true);
  });

  it('a name of the prototype changes nothing', () => {
    const env = JSON.parse('{"__proto__": {"SVC_LEGACY_PUBLIC_KEY": "on"}, "constructor": "x", "svc_legacy_public_key": "on"}');
    expect(readConfig(env).config).to.deep.equal(readConfig({}).config);
  });
});

const APP = { client_id: 'id', client_secret: 'secret', scopes: [] };

/** Invalid contents of the file that `SVC_SHARED_APPS_FILE` names. */
const FILES: Readonly<Record<string, string>> = {
  nothing: '',
  'white space': ' \n',
  'an empty list': '[]',
  null: 'null',
  'a text': '"github"',
  'broken JSON': '{"github": {',
  'a comment': '{} // none',
  'two objects': '{}{}',
  'a list of apps': JSON.stringify([APP]),
  'an app that is a text': '{"github": "id"}',
  'an app that is null': '{"github": null}',
  'an app without a secret': '{"github": {"client_id": "id", "scopes": []}}',
  'an app with an empty secret': JSON.stringify({ github: { ...APP, client_secret: '' } }),
  'a number as a secret': JSON.stringify({ github: { ...APP, client_secret: 1 } }),
  'scopes that are a text': JSON.stringify({ github: { ...APP, scopes: 'repo' } }),
  'scopes that are no scopes': JSON.stringify({ github: { ...APP, scopes: ['a b'] } }),
  'a further member': JSON.stringify({ github: { ...APP, token_url: 'https://evil.example' } }),
  'a provider that does not exist': JSON.stringify({ nobody: APP }),
  '__proto__ as a provider': `{"__proto__": ${JSON.stringify(APP)}}`,
};

describe('SVC_SHARED_APPS_FILE (CFG-01)', () => {
  let catalogue: Catalogue;

  before(async () => {
    catalogue = await readCatalogue([`${projectFolder}providers`, `${projectFolder}plugins`]);
  });

  async function faultOf(path: string): Promise<unknown> {
    return readSharedApps(path, catalogue).then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  for (const [what, text] of Object.entries(FILES)) {
    it(`is not usable when it holds ${what}`, async () => {
      await using files = await makeFolders({ 'apps.json': text });
      expect(await faultOf(`${files.path}/apps.json`)).to.be.instanceOf(SharedAppsFault);
    });
  }

  for (const path of ['/nowhere/apps.json', '/', '[]', ' ']) {
    it(`is not usable when it is ${JSON.stringify(path)}`, async () => {
      expect(await faultOf(path)).to.be.instanceOf(Error);
    });
  }

  it('stops the start when it is not usable', async () => {
    await using files = await makeFolders({ 'apps.json': '[]' });
    const started = startApp({ env: { SVC_SHARED_APPS_FILE: `${files.path}/apps.json` } });
    expect(await started.catch((error: unknown) => error)).to.be.instanceOf(SharedAppsFault);
  });
});
