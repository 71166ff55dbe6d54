import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDatabase } from '../../core/db/database.ts';
import { findRunning } from '../../core/db/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { rememberSecret } from '../support/canaries.ts';
import { runCommand } from '../support/command-line.ts';
import { mustBe } from '../support/connect.ts';
import { emptyDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type Client, client } from '../support/http-client.ts';
import { serve } from '../support/loopback-server.ts';
import { type ServiceProcess, startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const WAITING = 10;
const LATER = 50;
const log = createLogger({ level: 'silent' });

/** An application whose webhooks are refused until it is repaired. */
async function openApplication() {
  let isRepaired = false;
  const received: string[] = [];
  const server = await serve((request, response) => {
    request.resume();
    if (isRepaired) received.push(String(request.headers['webhook-id']));
    response.writeHead(isRepaired ? 200 : 503).end();
  });
  return {
    url: `${server.url}/hook`,
    received,
    repair: () => {
      isRepaired = true;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function keyOf(id: string): string {
  return `the key of the connection ${id}, which is found again`;
}

async function connectAccount(api: Client, id: string): Promise<void> {
  const credentials = { type: 'API_KEY', apiKey: rememberSecret(`key of ${id}`, keyOf(id)) };
  mustBe(200, await api.post('/connections', { provider_config_key: 'crm', connection_id: id, credentials }));
}

describe('a disaster: the data directory is lost', function () {
  this.timeout(120_000);
  const folder = use(this, temporaryFolder);
  const application = use(this, openApplication);
  const passphrase = rememberSecret('passphrase of backups', 'a passphrase that opens the backups of this test');
  const { SVC_ENCRYPTION_KEYS: _, ...shared } = newServiceEnv();
  const path = (name: string) => join(folder.path, name);
  const env = (dataDir: string) => ({
    ...shared,
    SVC_DATA_DIR: path(dataDir),
    SVC_BACKUP_DIR: path('backups'),
    SVC_BACKUP_PASSPHRASE_FILE: path('passphrase'),
  });
  const backups = async () =>
    (await readdir(path('backups')).catch(() => [])).filter((name) => name.endsWith('.backup')).toSorted();
  const newest = async () => path(`backups/${(await backups()).at(-1)}`);
  const ids = Array.from({ length: WAITING }, (_none, index) => `account-${index}`);
  const later: string[] = [];
  let messages: readonly string[] = [];

  /** Does something with the embedded database of a running service. */
  async function inDatabase(dataDir: string, work: (db: Knex) => Promise<void>): Promise<void> {
    const running = await findRunning({ dataDir: path(dataDir), explicitDataDir: true });
    const db = openDatabase({ url: running?.url ?? '', poolSize: 1, log });
    await work(db);
    await db.destroy();
  }

  /** Makes the only backup look a day old, and the schedule due, as they are a day later. */
  async function passDay(): Promise<void> {
    const [name = ''] = await backups();
    await rename(path(`backups/${name}`), path(`backups/${name.replace(/svc-\d{4}/, 'svc-2020')}`));
    await inDatabase('data', async (db) => {
      messages = await db('webhook_messages').where({ status: 'pending' }).pluck('message_id');
      await db('schedules').where({ name: 'backup' }).update({ due_at: db.fn.now() });
    });
  }

  /** Creates connections until there is a second backup. */
  async function loadUntilBackup(api: Client): Promise<void> {
    while ((await backups()).length < 2 || later.length < LATER) {
      const next = Array.from({ length: 10 }, (_none, index) => `later-${later.length + index}`);
      await Promise.all(next.map((id) => connectAccount(api, id)));
      later.push(...next);
    }
  }

  async function expectAll(service: ServiceProcess): Promise<void> {
    const api = client(service.url, shared.SVC_BOOTSTRAP_API_KEY);
    const { body } = await api.get('/connections');
    const found: string[] = body.connections.map((one: { connection_id: string }) => one.connection_id);
    expect(found).to.include.members(ids);
    for (const id of found) {
      const { status, body: one } = await api.get(`/connections/${id}?provider_config_key=crm`);
      expect([status, one.credentials.apiKey], id).to.deep.equal([200, keyOf(id)]);
    }
  }

  before(async () => {
    await writeFile(path('passphrase'), `${passphrase}\n`);
    await using service = await startService({ env: env('data') });
    await service.logged('a backup was made');
    const api = client(service.url, shared.SVC_BOOTSTRAP_API_KEY);
    mustBe(
      200,
      await api.post('/integrations', {
        unique_key: 'crm',
        provider: 'generic-api-key',
        integration_config: { api_base_url: 'https://crm.example', key_name: 'authorization' },
      }),
    );
    const set = await runCommand(env('data'), 'env', 'set', '--webhook-url', application.url, '--on-new-connection', 'on');
    expect(set.code, set.stderr).to.equal(0);
    for (const id of ids) await connectAccount(api, id);
    await passDay();
    await loadUntilBackup(api);
    service.signal('SIGKILL');
    expect((await service.exit).signal).to.equal('SIGKILL');
    await rm(path('data'), { recursive: true });
  });

  it('has left a backup that only its owner can read, with the keys of the day', async () => {
    expect(await backups()).to.have.length(2);
    expect((await stat(await newest())).mode & 0o777).to.equal(0o600);
    const { stdout } = await runCommand(env('elsewhere'), 'restore', await newest(), '--check', '--json');
    expect(JSON.parse(stdout)).to.include({ with_keys: true });
    expect(JSON.parse(stdout).decrypted).to.be.above(5);
    expect(await readdir(folder.path)).not.to.include('elsewhere');
  });

  it('is refused without the passphrase, and with another one, and nothing is left', async () => {
    await writeFile(path('wrong'), 'another passphrase that is long enough');
    const { SVC_BACKUP_PASSPHRASE_FILE: _file, ...without } = env('elsewhere');
    const none = await runCommand(without, 'restore', await newest());
    expect(none.code).to.equal(2);
    expect(none.stderr).to.contain('--passphrase-file FILE');
    const wrong = await runCommand(without, 'restore', await newest(), '--passphrase-file', path('wrong'));
    expect(wrong.stderr).to.contain('does not open with this key');
    expect(await readdir(folder.path)).not.to.include('elsewhere');
  });

  it('a new machine serves every connection from the newest backup and the passphrase, and sends what waited, once', async () => {
    const restored = await runCommand(env('new'), 'restore', await newest(), '--json');
    expect(restored.code, restored.stderr).to.equal(0);
    expect(JSON.parse(restored.stdout)).to.include({ database: 'embedded' });
    application.repair();
    await using service = await startService({ env: env('new') });
    await expectAll(service);
    const verified = await runCommand(env('new'), 'audit', 'verify', '--json');
    expect(JSON.parse(verified.stdout)).to.include({ ok: true });
    // After ten failures in a row, nothing is sent to the application for a minute, which passes here. The first webhook that it
    // accepts then makes those due that wait for it.
    await inDatabase('new', async (db) => void (await db('webhook_targets').update({ open_until: null })));
    await connectAccount(client(service.url, shared.SVC_BOOTSTRAP_API_KEY), 'after');
    await until('the webhooks that waited have arrived', async () => messages.every((id) => application.received.includes(id)));
    await service.stop();
    expect(messages.length).to.be.at.least(WAITING);
    expect(application.received.length, 'none arrived twice').to.equal(new Set(application.received).size);
  });

  it('a Postgres of the operator takes it over, with the keys that the backup gives out', async () => {
    await using target = await emptyDatabase();
    const given = await runCommand(env('elsewhere'), 'restore', await newest(), '--keys-to', path('keys'));
    expect(given.code, given.stderr).to.equal(0);
    expect((await stat(path('keys'))).mode & 0o777).to.equal(0o600);
    const keys = (await readFile(path('keys'), 'utf8')).trim();
    const own = { ...shared, DATABASE_URL: target.url, SVC_ENCRYPTION_KEYS: keys, SVC_DATA_DIR: path('own') };
    const restored = await runCommand(own, 'restore', await newest(), '--json');
    expect(JSON.parse(restored.stdout), restored.stderr).to.include({ database: 'external' });
    const again = await runCommand(own, 'restore', await newest());
    expect([again.code, again.stderr]).to.deep.equal([
      1,
      'the database is not empty, and nothing in it was changed: restore into an empty database\n',
    ]);
    await using service = await startService({ env: own });
    await expectAll(service);
    const { stdout } = await runCommand(own, 'audit', 'export');
    expect(stdout).to.contain('"action":"backup.restore"');
  });
});
