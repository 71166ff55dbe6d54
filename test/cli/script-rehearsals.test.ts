import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { CommandLine, runCommand } from '../support/command-line.ts';
import { type Connected, connectAgain, readConnection } from '../support/connect.ts';
import { createScheduler, FakeScheduler } from '../support/fake-scheduler.ts';
import { makeFolders } from '../support/folders.ts';
import { projectFolder } from '../support/source-files.ts';
import { use } from '../support/use.ts';

const EXAMPLES = join(projectFolder, 'docs/scripts/calendar');
const EVENT = { type: 'BOOKING_CREATED', payload: { payload: { uid: 'b-1' } } };
const FILES = {
  'event.json': JSON.stringify(EVENT),
  'no-event.json': '{"type": 1}',
  'no-recording.json': '{"version": 2}',
  'tells.ts': `export default async (svc: { [name: string]: any }) => {
  const { webhook_secret } = await svc.getIntegration();
  svc.log(webhook_secret, { webhook_secret });
  await svc.updateMetadata({ mine: webhook_secret });
  const { data } = await svc.get({ endpoint: '/api/echo?secret=in-the-query', headers: { 'x-mine': webhook_secret } });
  return [webhook_secret, data, (await svc.getConnection()).metadata];
};`,
  'random.ts': `export default async (svc: { [name: string]: any }) => {
  const { status } = await svc.post({ endpoint: '/webhooks', data: { id: crypto.randomUUID() } });
  return status;
};`,
  'more.ts': `export default async (svc: { [name: string]: any }) => svc.get({ endpoint: '/never-recorded' });`,
  'refuses.ts': `export default async (svc: { [name: string]: any }) => {
  throw new svc.ScriptError('not this account');
};`,
  'loops.ts': 'export default async () => { for (;;); };',
  'writes.ts': `export default async (svc: { [name: string]: any }) => svc.setMetadata({ a: 1 });`,
};

describe('scripts that are tried on the command line', function () {
  const secret = canary('webhook secret');
  const scheduler = use(this, FakeScheduler.start);
  const app = use(this, startApp);
  const folder = use(this, () => makeFolders(FILES));
  let connected: Connected;

  before(async () => {
    await createScheduler(app, scheduler, { key: 'calendar', triggers: '', webhookSecret: secret });
    connected = await connectAgain(app, 'calendar');
  });

  const path = (name: string) => join(folder.path, name);
  const commandLine = use(this, async () => new CommandLine());
  const online = () => ({
    DATABASE_URL: app.database.url,
    SVC_ENCRYPTION_KEYS: app.encryptionKeys,
    SVC_OUTBOUND_ALLOW: '127.0.0.1/32',
    SVC_BASE_URL: app.url,
    SVC_SCRIPT_TIMEOUT_MS: '15000',
  });
  const live = (file: string, ...args: string[]) =>
    commandLine.run(
      online(),
      'scripts',
      'test',
      file,
      '--connection',
      connected.connectionId,
      '--integration',
      'calendar',
      ...args,
    );
  /** Runs `scripts test` without a database and keys, and asserts that no embedded database was started. */
  const offline = async (file: string, ...args: string[]) => {
    const env = { SVC_DATA_DIR: path('data'), SVC_SCRIPT_TIMEOUT_MS: '2000' };
    const result = await commandLine.run(env, 'scripts', 'test', file, ...args);
    expect(existsSync(path('data'))).to.equal(false);
    return result;
  };
  const metadata = async () => (await readConnection(app, connected)).body.metadata;
  const calls = ({ calls }: { calls: readonly Record<string, unknown>[] }) =>
    calls.map(({ name, method, endpoint, status, metadata: written }) => [
      method === undefined ? name : `${method} ${endpoint}`,
      status ?? written ?? null,
    ]);

  it('call the provider, show each call, and write no metadata unless they are asked to', async () => {
    const file = join(EXAMPLES, 'post-connection-creation.ts');
    const before = scheduler.webhooks.size;
    const { code, stdout, stderr } = await live(file, '--json');
    expect(code, stderr).to.equal(0);
    const report = JSON.parse(stdout);
    expect(report).to.deep.include({ status: 'done', cause: null, error: null });
    const [id] = [...scheduler.webhooks.keys()].slice(-1);
    expect(calls(report)).to.deep.equal([
      ['getMetadata', null],
      ['getIntegration', null],
      ['POST /webhooks', 201],
      ['updateMetadata', { subscriptionId: id }],
    ]);
    expect(report.calls.every(({ duration_ms }: { duration_ms: unknown }) => Number.isInteger(duration_ms))).to.equal(true);
    expect(scheduler.webhooks.size).to.equal(before + 1);
    expect(await metadata()).to.deep.equal({});

    const written = await live(file, '--write');
    expect(written.code, written.stderr).to.equal(0);
    expect(written.stdout)
      .to.match(/^POST \/webhooks {2}201 {2}\d+ ms$/m)
      .and.match(/^done {2}\d+ ms/m);
    expect(await metadata()).to.deep.equal({ subscriptionId: [...scheduler.webhooks.keys()].at(-1) });
  });

  it('leave no entry among the recorded runs', async () => {
    expect(await app.database.db('script_runs')).to.deep.equal([]);
  });

  it('show no secret, whatever the script does with it, and record none', async () => {
    const { code, stdout, stderr } = await live(
      path('tells.ts'),
      '--event',
      'post-connection-creation',
      '--json',
      ...recordTo('tells.json'),
    );
    expect(code, stderr).to.equal(0);
    const report = JSON.parse(stdout);
    expect(calls(report).at(-2)).to.deep.equal(['GET /api/echo', 200]);
    expect(report.result[1]).to.be.an('object');
    const recording = await readFile(path('tells.json'), 'utf8');
    const token = (await readConnection(app, connected)).body.credentials.access_token;
    for (const text of [stdout, stderr, recording]) {
      for (const hidden of [secret, token, scheduler.clientSecret]) expect(text).not.to.contain(hidden);
    }
    expect(JSON.stringify(report.calls)).not.to.contain('in-the-query');
    expect((await stat(path('tells.json'))).mode & 0o777).to.equal(0o600);
  });

  const recordTo = (name: string) => ['--record', path(name)];

  it('run again offline against recorded responses, without a database or the provider', async () => {
    const file = join(EXAMPLES, 'on-webhook.ts');
    const recorded = await live(file, '--json', '--payload', path('event.json'), ...recordTo('webhook.json'));
    expect(recorded.code, recorded.stderr).to.equal(0);
    const again = await offline(file, '--json', '--payload', path('event.json'), '--replay', path('webhook.json'));
    expect(again.code, again.stderr).to.equal(0);
    expect(calls(JSON.parse(again.stdout))).to.deep.equal(calls(JSON.parse(recorded.stdout)));
    expect(calls(JSON.parse(again.stdout))).to.deep.equal([
      ['updateMetadata', { newestBooking: { uid: 'b-1', isCancelled: false } }],
    ]);

    const replayed = await offline(
      path('tells.ts'),
      '--event',
      'post-connection-creation',
      '--json',
      '--replay',
      path('tells.json'),
    );
    expect(replayed.code, replayed.stderr).to.equal(0);
    expect(JSON.parse(replayed.stdout).result[1]).to.be.an('object');
  });

  it('find the response to a call that differs only in random parts, and none to an unrecorded call', async () => {
    const event = ['--event', 'post-connection-creation'];
    const recorded = await live(path('random.ts'), ...event, ...recordTo('random.json'));
    expect(recorded.code, recorded.stderr).to.equal(0);
    const count = scheduler.ledger.entries.length;
    const again = await offline(path('random.ts'), '--json', ...event, '--replay', path('random.json'));
    expect(JSON.parse(again.stdout)).to.deep.include({ status: 'done', result: 201 });

    const more = await offline(path('more.ts'), '--json', ...event, '--replay', path('random.json'));
    expect(more.code).to.equal(1);
    expect(JSON.parse(more.stdout).error).to.deep.include({ code: 'not_recorded' });
    expect(more.stderr).to.contain('no result of proxy GET /never-recorded');
    expect(scheduler.ledger.entries).to.have.length(count);
  });

  it('end with 1 when they refuse, fail, or are killed, and say why in one line', async () => {
    const validate = ['--event', 'validate-connection', '--replay', path('random.json')];
    for (const [name, status, cause, message] of [
      ['refuses.ts', 'failed', 'script_error', 'not this account'],
      ['loops.ts', 'killed', 'timeout', 'timeout'],
      ['writes.ts', 'failed', 'script_error', 'does not exist yet'],
    ] as const) {
      const { code, stdout, stderr } = await offline(path(name), '--json', ...validate);
      expect([code, JSON.parse(stdout).status, JSON.parse(stdout).cause], name).to.deep.equal([1, status, cause]);
      expect(stderr.trimEnd().split('\n')).to.have.length(1);
      expect(stderr).to.contain(message);
    }
  });

  it('are refused before they run if a connection, file, payload or recording is missing or invalid', async () => {
    const file = join(EXAMPLES, 'pre-connection-deletion.ts');
    const elsewhere = ['--connection', 'nowhere', '--integration', 'calendar'];
    await writeFile(path('validate-connection.ts'), 'export default 7 +;');
    const refusals = [
      await runCommand(online(), 'scripts', 'test', file, ...elsewhere),
      await live(path('gone.ts'), '--event', 'validate-connection'),
      await live(path('validate-connection.ts')),
      await live(join(EXAMPLES, 'on-webhook.ts'), '--payload', path('no-event.json')),
      await offline(file, '--replay', path('no-recording.json')),
    ];
    const messages = ['nowhere', 'ENOENT', 'line 1, column 19', 'is not an event', 'was not recorded by'];
    for (const [index, { code, stdout, stderr }] of refusals.entries()) {
      expect([code, stdout], stderr).to.deep.equal([1, '']);
      expect(stderr).to.contain(messages[index]);
    }
  });
});
