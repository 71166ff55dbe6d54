import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { type ConnectionRow, credentialsPlace } from '../../core/connections/connection-row.ts';
import { Instances } from '../../core/db/instances.ts';
import { Listener } from '../../core/db/listener.ts';
import { KeyRing } from '../../core/kit/key-ring.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { startApp } from '../support/app.ts';
import { rememberSecret, sweep } from '../support/canaries.ts';
import { runCommand } from '../support/command-line.ts';
import { type Connected, connect, connectAgain, mustBe, readConnection } from '../support/connect.ts';
import { emptyDatabase } from '../support/database.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { temporaryFolder } from '../support/folders.ts';
import { client } from '../support/http-client.ts';
import { Installation, type RealService } from '../support/installation.ts';
import { storeMany } from '../support/many-connections.ts';
import { startService } from '../support/processes.ts';
import { startRenewalServer } from '../support/renewing-modes/renewal-server.ts';
import { ASKING_NAMES, RENEWING_NAMES } from '../support/renewing-modes/renewing-modes.ts';
import { integrateRenewing, makeRenewingProviders, storeRenewing } from '../support/renewing-modes/store-renewing.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { isLong, size } from '../support/size.ts';
import { use } from '../support/use.ts';

const MANY = size(1_000, 100_000);
/**
 * The points at which the rotation command is killed, one after the other. Each command continues where the one before was
 * killed.
 */
const KILLED_AT = isLong
  ? ['keys-retired:1', 'reseal:1', 'reseal:2', 'reseal:3', 'reseal:3']
  : ['keys-retired:1', 'reseal:1', 'reseal:5'];
const RENEWED = size(4, 50);
/** The number of rounds per second. Each round is one read and one refresh. */
const ROUNDS_A_SECOND = size(5, 50);
const KEY = 'keyed';

const log = createLogger({ level: 'silent' });
const newKey = (id: string) => newServiceEnv().SVC_ENCRYPTION_KEYS.replace('k1:', `${id}:`);

describe('CRY-05 a rotation of the encryption keys beside two instances', function () {
  this.timeout(size(240_000, 3_600_000));
  const installation = use(this, () => Installation.open());
  const provider = use(this, () => startFakeProvider({ rotation: 'strict' }));
  // During the rotation, credentials of every mode that can refresh are refreshed, too.
  const server = use(this, startRenewalServer);
  const folders = use(this, makeRenewingProviders);
  const added = newKey('k2');
  const renewed: Connected[] = [];
  let instances: readonly RealService[];

  const withKeys = (keys: string) => ({ ...installation.env, SVC_ENCRYPTION_KEYS: keys });
  const rotating = () => withKeys(`${added},${installation.env.SVC_ENCRYPTION_KEYS}`);

  const start = (keys: string) => installation.startProcess({ SVC_ENCRYPTION_KEYS: keys, SVC_PROVIDERS_DIR: folders.path });

  before(async () => {
    const old = installation.env.SVC_ENCRYPTION_KEYS;
    // The instances are as in a rolling restart that only adds the new key, but one of them already has the new key first.
    const one = await start(`${old},${added}`);
    renewed.push(await connect(one, provider));
    while (renewed.length < RENEWED) renewed.push(await connectAgain(one));
    await integrateRenewing(one, server.url);
    const services = { db: installation.db, keys: KeyRing.parse(old) };
    for (const name of RENEWING_NAMES) renewed.push(await storeRenewing({ services }, name));
    mustBe(200, await one.api.post('/integrations', { unique_key: KEY, provider: 'sendgrid' }));
    const integration = await installation.db('integrations').where({ unique_key: KEY }).first('id');
    await storeMany(installation.db, KeyRing.parse(old), { environmentId: 1, integrationId: integration.id, count: MANY });
    instances = [one, await start(`${added},${old}`)];
  });

  it('survives kill -9 at any step, and fails no request', async () => {
    await using load = startLoad(instances, renewed);
    for (const point of KILLED_AT) {
      const killed = await runCommand({ ...rotating(), FAULT_AT: point }, 'keys', 'rotate');
      expect(killed.code, `${point}: ${killed.stderr}`).to.equal(-1);
    }
    const { code, stdout, stderr } = await runCommand(rotating(), 'keys', 'rotate', '--json');
    expect(code, stderr).to.equal(0);
    const { encrypts, retired, resealed, unreadable } = JSON.parse(stdout);
    expect({ encrypts, retired, unreadable }).to.deep.equal({ encrypts: 'k2', retired: ['k1'], unreadable: {} });
    expect(resealed['connections.credentials']).to.be.within(1, MANY);
    const { failures, done } = await load.end();
    expect(failures.slice(0, 5)).to.deep.equal([]);
    expect(done).to.be.above(ROUNDS_A_SECOND);
    for (const name of ASKING_NAMES) expect(server.requestsOf(name), `${name} was refreshed`).to.be.above(0);
  });

  it('has left nothing encrypted with the old key, and the new key decrypts every credential', async () => {
    const { stdout } = await runCommand(rotating(), 'keys', 'status', '--json');
    const keys: { id: string; values: number; instances: number; may_be_dropped: boolean }[] = JSON.parse(stdout).data;
    expect(keys.map(({ id, may_be_dropped }) => [id, may_be_dropped])).to.deep.equal([
      ['k2', false],
      ['k1', true],
    ]);
    expect(keys.map(({ instances: count }) => count)).to.deep.equal([2, 0]);
    expect(keys[1]?.values).to.equal(0);
    expect(await openAll(KeyRing.parse(added))).to.equal(MANY + renewed.length);
  });

  /** Decrypts the credentials of all connections. @returns the number of connections @throws if one cannot be decrypted */
  async function openAll(ring: KeyRing): Promise<number> {
    let [count, page]: [number, ConnectionRow[]] = [0, []];
    do {
      page = await installation
        .db<ConnectionRow>('connections')
        .where('id', '>', page.at(-1)?.id ?? 0)
        .orderBy('id')
        .limit(2_000);
      for (const { id, environment_id: environmentId, integration_id: integrationId, credentials } of page)
        ring.decrypt(credentials, credentialsPlace({ id, environmentId, integrationId }));
      count += page.length;
    } while (page.length > 0);
    return count;
  }

  it('allows a start without the old key, and refuses a start without the new key', async () => {
    const later = await start(added);
    for (const instance of [...instances, later]) {
      for (const connected of [...renewed, { connectionId: 'many-7', key: KEY }])
        mustBe(200, await readConnection(instance, connected));
    }
    const { code, stderr } = await runCommand(installation.env, 'keys', 'status');
    expect([code, stderr]).to.deep.equal([
      1,
      'the database was encrypted with the key "k2", which is missing; add it to SVC_ENCRYPTION_KEYS\n',
    ]);
  });

  it('never encrypts with the old key again, although an instance has it first', async () => {
    const later = await start(`${installation.env.SVC_ENCRYPTION_KEYS},${added}`);
    const [connected] = renewed;
    if (connected === undefined) throw new Error('there is no connection');
    mustBe(200, await readConnection(later, connected, '&force_refresh=strict'));
    const { credentials } = await installation.db('connections').where({ connection_id: connected.connectionId }).first();
    expect(credentials.toString('latin1', 2, 4)).to.equal('k2');
  });
});

describe('CRY-05 an old key that something still needs', function () {
  this.timeout(60_000);
  const installation = use(this, () => Installation.open());

  it('cannot be left out', async () => {
    const { SVC_ENCRYPTION_KEYS: old } = installation.env;
    const added = newKey('k2');
    await (await startApp({ env: installation.env, database: installation.database }))[Symbol.asyncDispose]();
    const rotating = { ...installation.env, SVC_ENCRYPTION_KEYS: `${added},${old}` };
    expect((await runCommand({ ...rotating, FAULT_AT: 'keys-retired:1' }, 'keys', 'rotate')).code).to.equal(-1);
    const { code, stderr } = await runCommand({ ...installation.env, SVC_ENCRYPTION_KEYS: added }, 'keys', 'status');
    expect(code).to.equal(1);
    expect(stderr).to.match(
      /"k1", which is missing; add it .* and run `keys rotate`: environments\.webhook_secret still needs it/,
    );
  });
});

describe('CRY-05 a rotation beside an instance that does not report its keys', () => {
  it('is refused until that instance has ended', async () => {
    await using database = await emptyDatabase();
    const env = { ...newServiceEnv(), DATABASE_URL: database.url };
    await (await startApp({ env, database }))[Symbol.asyncDispose]();
    const rotating = { ...env, SVC_ENCRYPTION_KEYS: `${newKey('k2')},${env.SVC_ENCRYPTION_KEYS}` };
    {
      await using listener = new Listener({ url: database.url, log });
      await using silent = new Instances({ db: database.db, listener, log, id: randomUUID(), outboundAllow: [] });
      await silent.settled();
      const refused = await runCommand(rotating, 'keys', 'rotate');
      expect(refused.code).to.equal(1);
      expect(refused.stderr).to.contain('these instances do not report which keys they have');
    }
    const { code, stderr } = await runCommand(rotating, 'keys', 'rotate');
    expect(code, stderr).to.equal(0);
  });
});

describe('CRY-05 the keys beside an embedded database', function () {
  this.timeout(180_000);
  const folder = use(this, temporaryFolder);
  let env: Record<string, string>;

  before(() => {
    env = { ...newServiceEnv(), SVC_ENCRYPTION_KEYS: '', SVC_DATA_DIR: join(folder.path, 'data') }; // "" counts as unset
  });

  const rotate = (faultAt = '') => runCommand({ ...env, ...(faultAt && { FAULT_AT: faultAt }) }, 'keys', 'rotate', '--json');

  /** Returns the IDs of the keys in the order of the file. */
  async function keysInFile(): Promise<string[]> {
    const text = await readFile(join(folder.path, 'data', 'encryption-keys'), 'utf8');
    const items = text.trim().split(',');
    for (const item of items) rememberSecret('encryption key', item.slice(item.indexOf(':') + 1));
    return items.map((item) => item.slice(0, item.indexOf(':')));
  }

  it('are rotated beside a running service, which reads the new key; its next start removes the old key', async () => {
    const first = await startService({ env });
    const api = client(first.url, env['SVC_BOOTSTRAP_API_KEY']);
    const { code, stderr, stdout } = await rotate();
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.include({ encrypts: 'k2', retired: ['k1'], unreadable: {}, dropped_from_file: [] });
    expect((await api.get('/connections')).status).to.equal(200);
    mustBe(200, await api.post('/integrations', { unique_key: 'after', provider: 'github' }));
    expect(await keysInFile()).to.deep.equal(['k2', 'k1']);
    await first.stop();
    const next = await startService({ env });
    expect(await keysInFile()).to.deep.equal(['k2']);
    expect((await client(next.url, env['SVC_BOOTSTRAP_API_KEY']).get('/integrations')).body.data).to.have.length(1);
    await next.stop();
    expect([...sweep(first.output), ...sweep(next.output)]).to.deep.equal([]);
  });

  it('are rotated without a service, and an interrupted rotation continues without creating another key', async () => {
    for (const point of ['key-made:1', 'keys-retired:1', 'reseal:1']) expect((await rotate(point)).code, point).to.equal(-1);
    const { code, stderr, stdout } = await rotate();
    expect(code, stderr).to.equal(0);
    // The database server of the killed commands was still running, so another process might have been using it with the former
    // keys; they stay in the file.
    expect(JSON.parse(stdout)).to.deep.include({ encrypts: 'k3', dropped_from_file: [] });
    const service = await startService({ env });
    expect(await keysInFile()).to.deep.equal(['k3']);
    expect((await client(service.url, env['SVC_BOOTSTRAP_API_KEY']).get('/connections')).status).to.equal(200);
    await service.stop();
    expect(JSON.parse((await rotate()).stdout)).to.deep.include({ encrypts: 'k4', dropped_from_file: ['k3'] });
    expect(await keysInFile()).to.deep.equal(['k4']);
  });
});

interface Load extends AsyncDisposable {
  end(): Promise<{ readonly failures: readonly string[]; readonly done: number }>;
}

/** Several times a second, reads any connection and refreshes one of `renewed`, on each instance in turn. */
function startLoad(instances: readonly RealService[], renewed: readonly Connected[]): Load {
  const failures: string[] = [];
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let done = 0;
  const note = async (what: string, request: ReturnType<typeof readConnection>) => {
    const { status, text } = await request;
    done += 1;
    if (status !== 200) failures.push(`${what}: ${status} ${text}`);
  };
  const one = async (round: number) => {
    const instance = instances[round % instances.length];
    const connected = renewed[round % renewed.length];
    if (instance === undefined || connected === undefined) throw new Error('there is nothing to call');
    const any = { connectionId: `many-${(round * 7919) % MANY}`, key: KEY };
    await Promise.all([
      note(`read ${round}`, readConnection(instance, any)),
      note(`renewal ${round}`, readConnection(instance, connected, '&force_refresh=strict')),
    ]);
  };
  const loop = (async () => {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      const request: Promise<void> = one(round)
        .catch((error: unknown) => void failures.push(String(error)))
        .finally(() => running.delete(request));
      running.add(request);
      await wait(1000 / ROUNDS_A_SECOND);
    }
    await Promise.all(running);
  })();
  const end = async () => {
    stopping.abort();
    await loop;
    return { failures, done };
  };
  return { end, [Symbol.asyncDispose]: async () => void (await end()) };
}
