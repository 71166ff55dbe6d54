import { once } from 'node:events';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { newKeyRingText } from '../../core/kit/key-ring.ts';
import { temporaryFolder } from '../core/db/programs/cluster.ts';
import { cloneDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { client } from '../support/http-client.ts';
import { needPostgres15, startPostgres15 } from '../support/postgres-15.ts';
import { ServiceProcess, startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { skipBecause } from '../support/skip.ts';
import { useEach } from '../support/use.ts';

const NOBODY = { uid: 65534, gid: 65534 };
const PASSWORD = 'never-to-be-printed';

/** Starts a service that cannot run. @returns what it says on standard error */
async function refusal(env: Readonly<Record<string, string>>, identity?: typeof NOBODY): Promise<string> {
  await using service = new ServiceProcess({ env, port: await freePort(), ...(identity && { identity }) });
  expect((await service.exit).code).to.equal(1);
  expect(service.output.stderr).to.match(/^svc: /);
  expect(service.output.stderr).not.to.contain('    at ');
  return service.output.stderr;
}

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

describe('a start', function () {
  const folder = useEach(this, temporaryFolder);

  const dataDir = (name = 'data') => ({ ...newServiceEnv(), SVC_DATA_DIR: join(folder.path, name) });

  it('works on Postgres 15, with an empty database and with one that was migrated', async function () {
    needPostgres15(this);
    await using server = await startPostgres15();
    await using empty = await server.emptyDatabase();
    await using migrated = await server.cloneDatabase();
    for (const { url } of [empty, migrated]) {
      await using service = await startService({ env: { ...newServiceEnv(), DATABASE_URL: url } });
      expect((await fetch(`${service.url}/ready`)).status).to.equal(200);
    }
  });

  it('names the port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    expect(await refusal({ ...dataDir(), PORT: String(port) })).to.contain(`127.0.0.1:${port} is in use`);
    other.close();
  });

  for (const [what, url, reason] of [
    ['nobody listens at', 'postgres://u:PASSWORD@localhost:1/svc', 'does not respond'],
    ['has no such host', 'postgres://u:PASSWORD@database.invalid/svc', 'does not respond'],
  ] as const) {
    it(`says within seconds that DATABASE_URL ${what}`, async () => {
      const begun = performance.now();
      const env = { DATABASE_URL: url.replace('PASSWORD', PASSWORD), SVC_ENCRYPTION_KEYS: newKeyRingText() };
      expect(await refusal(env))
        .to.contain(reason)
        .and.contain('DATABASE_URL')
        .and.not.contain(PASSWORD);
      expect(performance.now() - begun).to.be.below(25_000);
    });
  }

  it('refuses other encryption keys than those of the database', async () => {
    await using database = await cloneDatabase();
    const env = { ...newServiceEnv(), DATABASE_URL: database.url };
    await (await startService({ env })).stop();
    const wrong = newKeyRingText();
    const stderr = await refusal({ ...env, SVC_ENCRYPTION_KEYS: wrong });
    expect(stderr).to.contain('key "k1"').and.not.contain(wrong.slice(3));
  });

  it('names every wrong setting at once', async () => {
    const stderr = await refusal({ PORT: 'x', SVC_ROLE: 'y', NODE_ENV: 'production', FAULT_AT: 'migrate:1' });
    for (const name of ['PORT', 'SVC_ROLE', 'FAULT_AT']) expect(stderr).to.contain(name);
  });

  it('names every fault of the shared apps, and none of their secrets', async () => {
    const file = join(folder.path, 'apps.json');
    await writeFile(file, JSON.stringify({ nobody: { client_id: PASSWORD }, github: { client_secret: PASSWORD, scopes: [] } }));
    const stderr = await refusal({ ...dataDir(), SVC_SHARED_APPS_FILE: file });
    expect(stderr).to.contain(file).and.contain('"nobody"').and.contain('"github": client_id').and.not.contain(PASSWORD);
  });

  it('says what to do about a data directory that this user may not write to', async function () {
    if (process.geteuid?.() !== 0) skipBecause(this, 'only root can become somebody else');
    await chmod(folder.path, 0o755);
    expect(await refusal(dataDir(), NOBODY)).to.contain('SVC_DATA_DIR');
  });

  it('is refused on the data directory of another service within two seconds, naming it', async () => {
    const env = dataDir();
    await using first = await startService({ env });
    const loaded = await elapsedMs(() => refusal({ ...env, PORT: 'x' }));
    const refused = await elapsedMs(async () => expect(await refusal(env)).to.contain(`in use by process ${first.pid}`));
    expect(refused - loaded, 'beyond what loading the program takes on this machine').to.be.below(7_500);
  });

  it('works from a path with spaces, on any free port, and prints the port and where the keys are', async () => {
    const env = dataDir('my data');
    await using service = new ServiceProcess({ env: { ...env, PORT: '0', SVC_BOOTSTRAP_API_KEY: '' }, port: 0 });
    const ready = await service.logged('ready');
    expect((await fetch(`http://127.0.0.1:${ready['port']}/ready`)).status).to.equal(200);
    expect((await service.logged('first start'))['apiKeyFile']).to.equal(join(env.SVC_DATA_DIR, 'api-key'));
  });

  it('works as a user without rights', async function () {
    if (process.geteuid?.() !== 0) skipBecause(this, 'only root can become somebody else');
    const env = dataDir();
    await mkdir(env.SVC_DATA_DIR);
    await chown(env.SVC_DATA_DIR, NOBODY.uid, NOBODY.gid);
    await using service = await startService({ env, identity: NOBODY });
    expect((await client(service.url, env.SVC_BOOTSTRAP_API_KEY).get('/connections')).status).to.equal(200);
  });

  it('leaves out a provider that cannot be read, names file, line and reason, and serves the others', async () => {
    await using database = await cloneDatabase();
    const broken = join(folder.path, 'providers', 'broken');
    await mkdir(broken, { recursive: true });
    await writeFile(join(broken, 'provider.json'), '{\n  "display_name": "Broken",\n  oops\n}\n');
    const env = { ...newServiceEnv(), DATABASE_URL: database.url, SVC_PROVIDERS_DIR: join(folder.path, 'providers') };
    await using service = await startService({ env });
    const fault = await service.logged('left out');
    expect(fault).to.include({ line: 3 });
    expect(JSON.stringify(fault)).to.contain('broken').and.contain('provider.json').and.contain('reason');
    const api = client(service.url, env.SVC_BOOTSTRAP_API_KEY);
    expect((await api.get('/providers/github')).status).to.equal(200);
    expect((await api.get('/providers/broken')).status).to.equal(404);
  });
});

describe('the role of a process', () => {
  it('worker serves health alone', async () => {
    await using database = await cloneDatabase();
    const env = { ...newServiceEnv(), DATABASE_URL: database.url, SVC_ROLE: 'worker' };
    await using service = await startService({ env });
    const api = client(service.url, env.SVC_BOOTSTRAP_API_KEY);
    for (const path of ['/health', '/ready', '/metrics']) expect((await api.get(path)).status).to.equal(200);
    for (const path of ['/connections', '/connect/l']) expect((await api.get(path)).status).to.equal(404);
  });

  it('web runs no jobs', async () => {
    await using database = await cloneDatabase();
    const env = { ...newServiceEnv(), DATABASE_URL: database.url, SVC_ROLE: 'web' };
    await using _service = await startService({ env });
    expect(await database.db('pgboss.schedule').select('name')).to.deep.equal([]);
  });
});
