import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { forgetFormerClients } from '../../core/connect/deletion/forget-former-clients.ts';
import { credentialsPlace } from '../../core/connections/connection-row.ts';
import { insertConnection } from '../../core/connections/connection-store.ts';
import { fingerprintOf } from '../../core/connections/integrations/effective-client.ts';
import { integrationByKey } from '../../core/connections/integrations/integration-store.ts';
import { webhookTagKey } from '../../core/connections/integrations/webhook-address.ts';
import { KeyRing } from '../../core/kit/key-ring.ts';
import { holdOffRotation, whileRotating } from '../../core/operate/keys/rotation-lock-store.ts';
import { LOCAL_COLUMNS } from '../../core/operate/transfer/tables.ts';
import { setHmacKey, setPublicKey } from '../../core/tenants/api-keys/public-key-store.ts';
import { setVariable } from '../../core/tenants/environments/variables.ts';
import { keepLogin } from '../../core/tenants/environments/webhook-login.ts';
import { quickAgeFile, readAgeFile } from '../support/age-file.ts';
import type { TestApp } from '../support/app.ts';
import { canary, rememberSecret, sweep } from '../support/canaries.ts';
import { CommandLine, runCommand } from '../support/command-line.ts';
import { mustBe } from '../support/connect.ts';
import { storeEverySetting } from '../support/connect-settings.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Installation } from '../support/installation.ts';
import { storeMany } from '../support/many-connections.ts';
import { IMPORTED_MODES, importableOf, integrate, makeModeProviders, providerOfMode } from '../support/mode-providers.ts';
import { size } from '../support/size.ts';
import { storeIntegration } from '../support/stored.ts';
import { use, useEach } from '../support/use.ts';

const MODES = IMPORTED_MODES.filter((mode) => mode !== 'APP');

describe('moving an environment to another installation', function () {
  this.timeout(size(120_000, 1_800_000));
  const folder = use(this, temporaryFolder);
  const modes = use(this, makeModeProviders);
  const source = use(this, () => Installation.open());
  const target = useEach(this, () => Installation.open());
  let app: TestApp;
  let secret: string;
  let exported: string;
  let lines: readonly string[];
  /** The path of a file with the same content as `exported`, whose key is derived with less work, so that it opens faster. */
  let quick: string;

  const path = (name: string) => join(folder.path, name);
  const commandLine = use(this, async () => new CommandLine());
  const run = async ({ env }: Installation, ...args: string[]) => {
    const result = await commandLine.run(env, ...args, '--key-file', path('key'));
    expect(sweep({ stdout: result.stdout, stderr: result.stderr })).to.deep.equal([]);
    return result;
  };
  const importing = (...args: string[]) => run(target, 'import', quick, ...args);

  before(async () => {
    secret = rememberSecret('key of an export', randomBytes(32).toString('base64'));
    await writeFile(path('key'), `${secret}\n`);
    app = await source.startApp({ SVC_PROVIDERS_DIR: modes.path });
    await fill(app);
    exported = path('dev.export');
    const { code, stderr } = await runCommand(source.env, 'export', exported, '--key-file', path('key'));
    expect(code, stderr).to.equal(0);
    lines = await linesIn(exported);
    quick = path('quick.export');
    await writeFile(quick, sealed(lines));
  });
  beforeEach(async () => {
    await target.startApp({ SVC_PROVIDERS_DIR: modes.path });
  });

  it('writes an encrypted file that only its owner may read, and overwrites none', async () => {
    expect((await stat(exported)).mode & 0o777).to.equal(0o600);
    expect(sweep({ file: await readFile(exported, 'latin1') })).to.deep.equal([]);
    const again = await run(source, 'export', exported);
    expect([again.code, again.stderr]).to.deep.equal([1, 'the file already exists: choose another name\n']);
  });

  it('recreates the environment, whose export there is the same', async () => {
    const { code, stderr, stdout } = await run(target, 'import', exported, '--env', 'moved', '--json');
    expect(code, stderr).to.equal(0);
    const { uuid } = await app.services.db('environments').where({ id: 1 }).first('uuid');
    expect(JSON.parse(stdout)).to.deep.include({ environment: 'moved', created: true, kept: 0, uuid, webhook_urls: 'kept' });
    const again = path('again.export');
    expect((await run(target, 'export', again, '--env', 'moved')).code).to.equal(0);
    expect((await linesIn(again)).slice(1)).to.deep.equal(lines.slice(1));
    expect((await target.db('connections')).length).to.equal(MODES.length + 1);
  });

  it('serves the connections there, with their credentials', async () => {
    const { code, stderr } = await importing();
    expect(code, stderr).to.equal(0);
    const there = await target.startApp({ SVC_PROVIDERS_DIR: modes.path });
    for (const mode of MODES) {
      const query = `/connections/of-${mode}?provider_config_key=${encodeURIComponent(await keyOf(app, `of-${mode}`))}`;
      const [before, after] = [await app.api.get(query), await there.client(target.env.SVC_BOOTSTRAP_API_KEY).get(query)];
      mustBe(200, after);
      const { id: _, last_fetched_at: __, ...expected } = before.body;
      expect(after.body).to.deep.include(expected);
    }
  });

  it('says in the target’s log why a connection needs its user', async () => {
    const there = await target.startApp({ SVC_PROVIDERS_DIR: modes.path });
    expect((await importing()).code).to.equal(0);
    const [{ errors }] = (await there.api.get('/connections?connectionId=rare')).body.connections;
    const log = await there.api.get(`/logs/${errors[0].log_id}`);
    expect(log.body.data.messages[0].message).to.match(/^the user must authorize again/);
  });

  it('refuses and names what exists already, imports the rest on request, and imports settings only on request', async () => {
    expect((await importing()).code).to.equal(0);
    const before = await contents();
    const { code, stderr } = await importing();
    expect(code).to.equal(1);
    expect(stderr).to.match(/^nothing was imported, since these already exist in the environment: variable NAME, integration /);
    expect(await contents()).to.equal(before);
    await target.db('connections').where({ connection_id: 'rare' }).delete();
    const kept = await importing('--keep-existing', '--settings', '--json');
    expect(kept.code, kept.stderr).to.equal(0);
    expect(JSON.parse(kept.stdout).imported).to.deep.include({ connections: 1 });
    expect(await target.db('environments').where({ id: 1 }).first('webhook_url')).to.deep.equal({
      webhook_url: 'https://app.example/hook',
    });
  });

  it('names former keys that exist already, and drops one that equals the key of an integration', async () => {
    const other = await storeIntegration((await target.startApp()).api, 'other');
    const { id } = await target.db('integrations').where({ unique_key: other }).first('id');
    const alias = { environment_id: 1, integration_id: id };
    await target.db('integration_aliases').insert({ ...alias, unique_key: 'former' });
    const refused = await importing();
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.match(/^nothing was imported, since these already exist in the environment: former key former;/);
    // The target's former key now equals the current key of an integration in the export.
    await target.db('integration_aliases').update({ unique_key: 'one' });
    const { code, stderr } = await importing();
    expect(code, stderr).to.equal(0);
    expect(await target.db('integration_aliases').pluck('unique_key')).to.deep.equal(['former']);
  });

  it('refuses to keep an integration without the client that authorized exported connections', async () => {
    const there = await target.startApp();
    const change = { credentials: { type: 'OAUTH2', client_id: 'another', client_secret: canary('another client secret') } };
    await storeIntegration(there.api, 'one');
    mustBe(200, await there.api.patch('/integrations/one', change));
    await forgetFormerClients({ ...there.services, clock: { now: () => new Date(Date.now() + 2 * 86_400_000) } });
    const before = await contents();
    const { code, stderr } = await importing('--keep-existing');
    expect(code).to.equal(1);
    expect(stderr).to.match(/^these integrations already exist with a client other than .*: one\n$/);
    expect(await contents()).to.equal(before);
  });

  it('does not begin during a key rotation, and blocks a rotation until it ends', async () => {
    const before = await contents();
    const refused = await whileRotating(target.db, () => importing());
    expect([refused?.result.code, refused?.result.stderr]).to.deep.equal([
      1,
      'the encryption keys are being rotated; import when the rotation has ended\n',
    ]);
    expect(await contents()).to.equal(before);
    const keys = KeyRing.parse(target.env.SVC_ENCRYPTION_KEYS);
    await target.db.transaction(async (trx) => {
      expect(await holdOffRotation(trx, keys)).to.equal(true);
      expect(await whileRotating(target.db, async () => undefined)).to.equal(undefined);
    });
    expect(await whileRotating(target.db, async () => 1)).to.deep.equal({ result: 1 });
  });

  it('refuses a truncated or altered file, another key and unknown lines, and writes nothing', async () => {
    const before = await contents();
    const whole = await readFile(quick);
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(whole.length - 9) ^ 1, whole.length - 9);
    const odd: Readonly<Record<string, readonly [content: Buffer, reason: RegExp]>> = {
      cut: [whole.subarray(0, -40), /changed or truncated/],
      changed: [changed, /changed or truncated/],
      endless: [sealed(lines.slice(0, -1)), /its last line is missing/],
      lacking: [sealed([...lines.slice(0, -2), lines.at(-1) ?? '']), /lines are missing/],
      newer: [
        sealed([lines[0] ?? '', (lines[1] ?? '').replace('"row":{', '"row":{"column_of_tomorrow":1,'), ...lines.slice(2)]),
        /newer release/,
      ],
      unknown: [sealed([lines[0] ?? '', '{"kind":"other"}']), /line 2 of the export is of a kind/],
    };
    for (const [name, [content, reason]] of Object.entries(odd)) {
      await writeFile(path(name), content);
      const { code, stderr } = await run(target, 'import', path(name));
      expect([code, name], stderr).to.deep.equal([1, name]);
      expect(stderr).to.match(reason);
    }
    await writeFile(path('other-key'), 'x'.repeat(40));
    const wrong = await commandLine.run(target.env, 'import', quick, '--key-file', path('other-key'));
    expect([wrong.code, wrong.stderr]).to.deep.equal([1, 'the file does not open with this key\n']);
    expect(await contents()).to.equal(before);
  });

  it('ends with 2 on wrong usage', async () => {
    await writeFile(path('short-key'), 'short');
    for (const args of [['export'], ['import', 'a', 'b'], ['import', quick, '--unknown']])
      expect((await run(target, ...args)).code, args.join(' ')).to.equal(2);
    expect((await commandLine.run(target.env, 'export', path('new'))).code).to.equal(2);
    expect((await commandLine.run(target.env, 'export', path('new'), '--key-file', path('short-key'))).code).to.equal(2);
  });

  it('imports everything or nothing if it is killed', async () => {
    const before = await contents();
    for (const point of ['import-batch:1', 'import-batch:4']) {
      const { code } = await runCommand(
        { ...target.env, FAULT_AT: point },
        'import',
        quick,
        '--key-file',
        path('key'),
        '--env',
        'new',
      );
      expect(code, point).to.equal(-1);
    }
    expect(await contents()).to.equal(before);
    expect((await importing('--env', 'new')).code).to.equal(0);
  });

  it('moves many connections', async () => {
    const many = size(3_000, 100_000);
    const { id } = (await integrationByKey(app.services, 1, 'one')) ?? { id: 0 };
    const keys = KeyRing.parse(source.env.SVC_ENCRYPTION_KEYS);
    await storeMany(source.db, keys, { environmentId: 1, integrationId: id, count: many });
    const file = path('many.export');
    expect((await run(source, 'export', file)).code).to.equal(0);
    // V8 keeps the heap below this limit, which the whole file would exceed if it were read into memory.
    const env = { ...target.env, NODE_OPTIONS: '--max-old-space-size=96' };
    const { code, stderr, stdout } = await runCommand(env, 'import', file, '--key-file', path('key'), '--json');
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout).imported.connections).to.equal(many + MODES.length + 1);
  });

  /** Returns the contents of all tables that an import writes. */
  async function contents(): Promise<string> {
    const tables = await Promise.all(Object.keys(LOCAL_COLUMNS).map((table) => target.db(table).select('*').orderBy(1)));
    return JSON.stringify(tables);
  }

  async function linesIn(file: string): Promise<string[]> {
    return (await readAgeFile(file, secret)).trimEnd().split('\n');
  }

  function sealed(lines: readonly string[]): Buffer {
    return quickAgeFile(Buffer.from(`${lines.join('\n')}\n`), secret);
  }
});

async function keyOf(app: TestApp, connectionId: string): Promise<string> {
  const { body } = await app.api.get(`/connections?connectionId=${connectionId}`);
  return body.connections[0].provider_config_key;
}

async function fill(app: TestApp): Promise<void> {
  const { services, api } = app;
  await setVariable(services, 1, { name: 'NAME', value: canary('variable') });
  const url = `https://jane:${encodeURIComponent(canary('login'))}@app.example/hook`;
  await keepLogin(services, { environmentId: 1, of: 'connections', url });
  await setHmacKey(services, 1, canary('HMAC key'));
  await setPublicKey(services.db, 1, '7f1c9b5e-2f0f-4f1e-9d54-0a1f2c3d4e5f');
  await webhookTagKey(services, 1);
  await storeEverySetting(services.db);
  for (const mode of MODES) {
    const provider_config_key = await integrate({ api }, providerOfMode(mode), {});
    const imported = { provider_config_key, connection_id: `of-${mode}`, credentials: importableOf(mode), tags: { mode: 'x' } };
    mustBe(200, await api.post('/connections', { ...imported, metadata: { nested: { number: 1.5, list: [1, null] } } }));
  }
  const key = await storeIntegration(api, 'one');
  const named = await integrationByKey(services, 1, key);
  await services.db('integration_aliases').insert({ environment_id: 1, unique_key: 'former', integration_id: named?.id });
  const source = `export default async () => ${JSON.stringify(canary('script'))};`;
  const script = { source, language: 'javascript' };
  mustBe(200, await api.put(`/integrations/${key}/scripts/post-connection-creation`, script));
  const integration = await integrationByKey(services, 1, key);
  // This connection has everything that a connection may have, and an auth mode that no request can import.
  const place = { environmentId: 1, integrationId: integration?.id ?? 0 };
  const id = await insertConnection(services, {
    ...place,
    connectionId: 'rare',
    credentials: { type: 'NONE' } as never,
    connectionConfig: { open: 'yes', hidden: canary('secret configuration') },
    secretConfig: { hidden: canary('secret configuration') },
    tags: { a: 'b' },
    endUser: { id: 'user', email: null, display_name: null, tags: {}, organization: null },
    webhookUrlOverride: 'https://app.example/own',
    clientFingerprint: fingerprintOf({ clientId: 'client' }),
    providerAccount: { id: canary('account') },
    metadata: { a: { b: [1, 2.5, null, 'ü'] } },
  });
  const unknown = JSON.stringify({ type: 'NOBODY_KNOWS_THIS', session: canary('session of an unknown mode') });
  const credentials = services.keys.encrypt(unknown, credentialsPlace({ ...place, id: id ?? 0 }));
  await services
    .db('connections')
    .where({ id })
    .update({ credentials, subscription: { id: '7' }, state: 'needs_reauth', auth_error_log_id: randomUUID() });
}
