import { randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DoctorCheck } from '../../core/cli/doctor/check.ts';
import { inspectDatabase } from '../../core/cli/doctor/database.ts';
import { checkDisk } from '../../core/cli/doctor/installation.ts';
import { checkKeys } from '../../core/cli/doctor/keys.ts';
import { checkOutbound } from '../../core/cli/doctor/outbound.ts';
import { checkClocks } from '../../core/cli/doctor/run-checks.ts';
import { systemClock } from '../../core/kit/clock.ts';
import { KeyRing, newKeyRingText } from '../../core/kit/key-ring.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { startApp } from '../support/app.ts';
import { rememberSecret } from '../support/canaries.ts';
import { runCommand } from '../support/command-line.ts';
import { cloneDatabase, emptyDatabase } from '../support/database.ts';
import { expectCheck, named } from '../support/doctor.ts';
import { temporaryFolder } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { use } from '../support/use.ts';

const log = createLogger({ level: 'silent' });
const clock = systemClock;
const SECOND = 1_000;
/** A module that hides the packages of OpenTelemetry from the process. */
const WITHOUT_PACKAGES = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(name, context, next) {
      if (!name.startsWith('@opentelemetry/')) return next(name, context);
      throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' });
    },
  });
`)}`;

describe('doctor, on the disk', () => {
  it('finds a folder that can be written to, and leaves nothing in it', async () => {
    await using folder = await temporaryFolder();
    expectCheck(await checkDisk(folder.path), 'ok', folder.path, 'MB free');
    expectCheck(await checkDisk(join(folder.path, 'not', 'there', 'yet')), 'ok');
  });

  it('finds a missing or unusable folder', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'file'), '');
    expectCheck(await checkDisk(join(folder.path, 'file')), 'fail', 'ENOTDIR', 'SVC_DATA_DIR');
  });

  for (const [megabytes, status] of [
    [99, 'fail'],
    [100, 'warn'],
    [1023, 'warn'],
    [1024, 'ok'],
  ] as const) {
    it(`reports ${status} for ${megabytes} MB`, async () => {
      await using folder = await temporaryFolder();
      expectCheck(await checkDisk(folder.path, async () => megabytes), status, `${megabytes} MB`);
    });
  }
});

describe('doctor, on clocks', () => {
  for (const [aheadMs, status, words] of [
    [0, 'ok', 'agrees'],
    [4_999, 'ok', 'agrees'],
    [5 * SECOND, 'warn', '5 s ahead of'],
    [-29 * SECOND, 'warn', '29 s behind'],
    [30 * SECOND, 'fail', '30 s ahead of'],
    [-3600 * SECOND, 'fail', '3600 s behind'],
  ] as const) {
    it(`reports ${status} for ${aheadMs} ms`, () => {
      const readings = [
        { name: 'this machine', aheadMs: 100 },
        { name: 'the service', aheadMs },
      ];
      expectCheck(checkClocks(readings), status, words);
    });
  }

  it('has nothing to compare without a database', () => {
    expectCheck(checkClocks([]), 'warn', 'not checked');
  });

  it('measures this machine against the database', async () => {
    await using database = await cloneDatabase();
    const ahead = { now: () => new Date(Date.now() + 40 * SECOND) };
    await using view = await inspectDatabase({ url: database.url, clock: ahead, log });
    expect(view.aheadMs).to.be.within(39 * SECOND, 41 * SECOND);
  });
});

describe('doctor, on the database', () => {
  it('finds a sound database', async () => {
    await using database = await cloneDatabase();
    await using view = await inspectDatabase({ url: database.url, clock, log });
    expectCheck(named(view.checks, 'database'), 'ok', 'Postgres 18');
    expectCheck(named(view.checks, 'notices'), 'ok');
  });

  it('finds a database without tables of the service', async () => {
    await using database = await emptyDatabase();
    await using view = await inspectDatabase({ url: database.url, clock, log });
    expectCheck(named(view.checks, 'database'), 'warn', 'pending', 'npm run svc -- migrate');
    expect(view.isMigrated).to.equal(false);
  });

  it('finds that a migration is missing', async () => {
    await using database = await cloneDatabase();
    await database.db('schema_migrations').where({ name: '0001_baseline' }).delete();
    await using view = await inspectDatabase({ url: database.url, clock, log });
    expectCheck(named(view.checks, 'database'), 'warn', '0001_baseline');
  });

  it('finds a database that does not respond', async () => {
    const url = `postgres://svc:database-password@127.0.0.1:${await freePort()}/svc`;
    await using view = await inspectDatabase({ url, clock, log });
    expectCheck(named(view.checks, 'database'), 'fail', 'nothing listens', 'DATABASE_URL');
    expect(JSON.stringify(view.checks)).not.to.contain('database-password');
  });

  it('finds that there is no connection left to listen with', async () => {
    await using database = await cloneDatabase();
    const role = `role_${randomUUID().replaceAll('-', '')}`;
    const password = rememberSecret('password of a role', randomUUID());
    await database.db.raw(`create role ${role} login password '${password}' connection limit 1`);
    try {
      await database.db.raw(`grant select on schema_migrations to ${role}`);
      const url = new URL(database.url);
      [url.username, url.password] = [role, password];
      await using view = await inspectDatabase({ url: url.href, clock, log });
      expectCheck(named(view.checks, 'notices'), 'warn', 'all its connections are in use', 'limit of connections');
    } finally {
      await database.db.raw(`drop owned by ${role}`);
      await database.db.raw(`drop role ${role}`);
    }
  });

  it('finds that notices do not arrive', async () => {
    await using database = await cloneDatabase();
    await using other = await emptyDatabase();
    await using view = await inspectDatabase({ url: database.url, listenUrl: other.url, clock, log });
    expectCheck(named(view.checks, 'notices'), 'warn', 'pooler', '10 s');
  });
});

describe('doctor, on the encryption keys', function () {
  const app = use(this, startApp);
  const further = (id: string) => newKeyRingText().replace(/^k1/, id);

  it('accepts the right keys', async () => {
    expectCheck(await checkKeys(app.database.db, KeyRing.parse(app.encryptionKeys)), 'ok', '"k1" encrypts');
  });

  it('accepts a new key', async () => {
    const ring = KeyRing.parse(`${further('k2')},${app.encryptionKeys}`);
    expectCheck(await checkKeys(app.database.db, ring), 'ok', '"k2" is new');
    expect(await app.database.db('encryption_keys').select('key_id')).to.have.length(1);
  });

  it('warns of a key that was never used', async () => {
    const ring = KeyRing.parse(`${app.encryptionKeys},${further('k0')}`);
    expectCheck(await checkKeys(app.database.db, ring), 'warn', 'k0');
  });

  it('finds a wrong key', async () => {
    expectCheck(
      await checkKeys(app.database.db, KeyRing.parse(newKeyRingText())),
      'fail',
      '"k1" is not the one',
      'other instances',
    );
  });

  it('finds a missing key', async () => {
    expectCheck(await checkKeys(app.database.db, KeyRing.parse(further('k2'))), 'fail', '"k1", which is missing');
  });
});

describe('doctor, on outgoing calls', () => {
  const baseUrl = 'https://svc.example';
  const resolve = async (name: string) => {
    if (name.startsWith('unknown')) throw new Error('ENOTFOUND');
    return ['192.0.2.7'];
  };

  for (const [what, allow, status, words] of [
    ['no exceptions', [], 'ok', 'svc.example'],
    ['exceptions that are few', ['127.0.0.1/32', 'tracker.internal:8080', '10.0.0.0/8'], 'ok', 'tracker.internal'],
    ['every IPv4 address', ['0.0.0.0/0'], 'warn', '0.0.0.0/0'],
    ['half of all IPv4 addresses', ['127.0.0.1/32', '128.0.0.0/1'], 'warn', '128.0.0.0/1'],
    ['every IPv6 address', ['::/0'], 'warn', '::/0'],
    ['the secrets of the cloud', ['169.254.0.0/16'], 'warn', '169.254.169.254'],
    ['a name that does not exist', ['unknown.internal'], 'warn', 'unknown.internal'],
  ] as const) {
    it(`reports ${status} for ${what}`, async () => {
      expectCheck(await checkOutbound({ allow, baseUrl }, resolve), status, words);
    });
  }

  it('also resolves the outbound proxy, and names only the proxy', async () => {
    const proxy = 'http://jane:password@unknown.example:3128';
    const found = await checkOutbound({ allow: [], baseUrl: 'http://localhost:3003', proxy }, resolve);
    expectCheck(found, 'warn', 'unknown.example');
    expect(JSON.stringify(found)).not.to.contain('password');
  });

  it('finds that no name can be resolved', async () => {
    expectCheck(await checkOutbound({ allow: [], baseUrl: 'https://unknown.example' }, resolve), 'fail', 'name server');
  });
});

describe('the command doctor', () => {
  const byName = (stdout: string) =>
    Object.fromEntries(JSON.parse(stdout).checks.map(({ name, status }: DoctorCheck) => [name, status]));

  it('examines a running service, and ends with 0', async () => {
    await using app = await startApp();
    const env = {
      ...newServiceEnv(),
      DATABASE_URL: app.database.url,
      SVC_ENCRYPTION_KEYS: app.encryptionKeys,
      PORT: new URL(app.url).port,
      SVC_BASE_URL: app.url,
    };
    const { code, stdout, stderr } = await runCommand(env, 'doctor', '--json');
    expect([code, stderr]).to.deep.equal([0, '']);
    const names = ['settings', 'disk', 'database', 'notices', 'encryption-keys', 'backup', 'clock', 'outbound', 'public-url'];
    expect(byName(stdout)).to.deep.equal(
      Object.fromEntries([...names, 'proxy-headers', 'websocket', 'large-headers'].map((name) => [name, 'ok'])),
    );
    const plain = await runCommand(env, 'doctor');
    expect(plain.stdout.trimEnd().split('\n')).to.have.length(12);
    expect(plain.stdout).to.match(/^ok {4}settings /);
  });

  it('says how to fix what is wrong, and ends with 1', async () => {
    await using database = await cloneDatabase();
    const env = { ...newServiceEnv(), DATABASE_URL: database.url, PORT: '1', SVC_BASE_URL: 'http://127.0.0.1:2' };
    const { code, stdout, stderr } = await runCommand(env, 'doctor');
    expect(code).to.equal(1);
    expect(stderr).to.equal('checks failed: public-url\n');
    expect(stdout).to.match(/^fail {2}public-url .*; set SVC_BASE_URL to http:\/\/127\.0\.0\.1:1, or PORT to 2$/m);
  });

  it('says what is wrong with the settings', async () => {
    const { code, stdout } = await runCommand({ PORT: 'x', SVC_LOG_LEVEL: 'loud' }, 'doctor', '--json');
    expect(code).to.equal(1);
    expect(JSON.parse(stdout).checks[0].message).to.contain('PORT').and.contain('SVC_LOG_LEVEL');
  });

  it('finds that traces are on without their packages, and accepts the variables of the guides', async () => {
    await using database = await cloneDatabase();
    const env = { ...newServiceEnv(), DATABASE_URL: database.url, SVC_URL: 'http://localhost:3003', SVC_KEY: 'of-the-guides' };
    expect((await runCommand(env, 'doctor')).stdout).to.match(/^ok {4}settings /);
    const traced = { ...env, OTEL_TRACES_EXPORTER: 'otlp', NODE_OPTIONS: `--import=${WITHOUT_PACKAGES}` };
    const { code, stdout, stderr } = await runCommand(traced, 'doctor');
    expect([code, stderr.includes('settings')]).to.deep.equal([1, true]);
    expect(stdout).to.match(
      /^fail {2}settings .*packages are not installed; install them: npm install --prefix .*@opentelemetry/,
    );
  });

  it('creates no database if there is none', async () => {
    await using folder = await temporaryFolder();
    const dataDir = join(folder.path, 'data');
    await mkdir(dataDir);
    const port = String(await freePort());
    const { code, stdout } = await runCommand({ SVC_DATA_DIR: dataDir, PORT: port }, 'doctor', '--json');
    expect(code).to.equal(0);
    expect(named(JSON.parse(stdout).checks, 'database').message).to.contain('give doctor its SVC_DATA_DIR or DATABASE_URL');
    expect(byName(stdout)).to.include({ disk: 'ok', database: 'ok', 'encryption-keys': 'ok', 'public-url': 'warn' });
    expect(await readdir(dataDir)).to.deep.equal([]);
  });

  it('accepts no further arguments', async () => {
    expect((await runCommand({}, 'doctor', 'everything')).code).to.equal(2);
  });
});
