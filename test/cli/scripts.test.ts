import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { CommandError } from '../../core/cli/output.ts';
import { scriptsCommand } from '../../core/cli/scripts/scripts.ts';
import { insertRun } from '../../core/scripts/run-store.ts';
import { startApp } from '../support/app.ts';
import { CommandLine, type CommandResult, runCommand } from '../support/command-line.ts';
import { createIntegration } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import { compile } from '../support/typescript-folder.ts';
import { use, useEach } from '../support/use.ts';
import { words } from '../support/words.ts';

const PROVIDER = {
  url: 'https://api.example',
  authorizationUrl: 'https://auth.example/authorize',
  tokenUrl: 'https://auth.example/token',
  clientId: 'client',
  clientSecret: 'not used here',
};
const SCRIPT = 'export default async (svc) => { svc.log("ran"); };\n';
const EVENTS = ['on-webhook', 'post-connection-creation', 'pre-connection-deletion', 'validate-connection'];

describe('scripts on the command line', function () {
  const app = use(this, startApp);
  const folder = useEach(this, () => makeFolders({}));

  before(async () => {
    await createIntegration(app, PROVIDER, { key: 'cal' });
    await createIntegration(app, PROVIDER, { key: 'tracker' });
  });
  beforeEach(async () => {
    await app.database.db('scripts').delete();
  });

  const commandLine = use(this, async () => new CommandLine());
  const env = () => ({ DATABASE_URL: app.database.url, SVC_ENCRYPTION_KEYS: app.encryptionKeys });
  const svc = (...args: string[]): Promise<CommandResult> => commandLine.run(env(), 'scripts', ...args);
  const object = async (...args: string[]) => {
    const { code, stdout, stderr } = await svc(...args, '--json');
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout);
  };
  const refusal = async (...args: string[]) => {
    const { code, stdout, stderr } = await svc(...args);
    expect([code, stdout]).to.deep.equal([1, '']);
    expect(stderr.trimEnd().split('\n')).to.have.length(1);
    return stderr;
  };
  const put = async (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(folder.path, name, '..'), { recursive: true });
      await writeFile(join(folder.path, name), text);
    }
  };
  const versions = () => app.database.db('script_versions').count({ count: '*' }).first();
  const summary = ({ data }: { data: readonly Record<string, unknown>[] }) =>
    data.map(({ integration, event, version, status }) => [integration, event, version, status]);

  it('begin with a folder that type checks, can be deployed unchanged, and is never overwritten', async () => {
    const dir = join(folder.path, 'new/scripts');
    const { files } = await object('init', dir, '--integration', 'cal');
    expect(files).to.include.members([
      'tsconfig.json',
      'script.d.ts',
      '.sandbox/globals.d.ts',
      ...EVENTS.map((event) => `cal/${event}.ts`),
    ]);
    expect(compile(dir)).to.deep.equal([]);
    expect(summary(await object('deploy', dir))).to.deep.equal(EVENTS.map((event) => ['cal', event, 1, 'deployed']));

    await writeFile(join(dir, 'tsconfig.json'), '{}');
    expect(await refusal('init', dir)).to.contain('tsconfig.json already exists');
    expect(await readFile(join(dir, 'tsconfig.json'), 'utf8')).to.equal('{}');
  });

  it('get the types of this version', async () => {
    await put({ 'script.d.ts': 'old', 'tsconfig.json': '{"include": ["**/*"]}' });
    expect(await object('types', folder.path))
      .to.have.property('note')
      .that.contains('.sandbox/globals.d.ts');
    const types = await readFile(new URL('../../scripts-runtime/script.d.ts', import.meta.url), 'utf8');
    expect(await readFile(join(folder.path, 'script.d.ts'), 'utf8')).to.equal(types);
  });

  it('are deployed with their imports; an unchanged script creates no version, even without bundling', async () => {
    await put({
      'cal/post-connection-creation.ts': `import { text } from './text.ts';\nexport default async () => text;\n`,
      'cal/text.ts': `export const text: string = 'a';\n`,
      'tracker/pre-connection-deletion.js': SCRIPT,
      'node_modules/pre-connection-deletion.js': 'no script',
      'README.md': 'no script either',
    });
    const both = (first: number, second: number, ...[one, other]: string[]) => [
      ['cal', 'post-connection-creation', first, one],
      ['tracker', 'pre-connection-deletion', second, other],
    ];
    expect(summary(await object('deploy', folder.path))).to.deep.equal(both(1, 1, 'deployed', 'deployed'));
    expect(summary(await object('deploy', folder.path))).to.deep.equal(both(1, 1, 'unchanged', 'unchanged'));
    await put({ 'cal/text.ts': `export const text: string = 'b';\n` });
    expect(summary(await object('deploy', folder.path))).to.deep.equal(both(2, 1, 'deployed', 'unchanged'));

    const byApi = await app.api.call('PUT', '/integrations/tracker/scripts/pre-connection-deletion', {
      body: { source: SCRIPT, language: 'javascript' },
    });
    expect(byApi.body.data.version).to.equal(1);
  });

  it('are deployed all together, or not at all if one is wrong, with every fault named', async () => {
    await put({
      'cal/post-connection-creation.ts': SCRIPT,
      'cal/validate-connection.ts': 'export default async () => {\n  const a = ;\n};\n',
      'tracker/on-webhook.ts':
        "import fs from 'node:fs';\nexport const webhookSubscriptions = ['*'];\nexport const onWebhook = fs;",
      'tracker/post-connection-creation.ts': 'export const nothing = 1;\n',
      'trackr/validate-connection.js': SCRIPT,
      'cal/onWebhook.ts': SCRIPT,
      'cal/post-conection-creation.mjs': SCRIPT,
      'cal/x.ts': SCRIPT,
      'cal/lib.ts': `export * from './more';`,
      'cal/more.ts': '',
      'cal/pre-connection-deletion.ts': `import './lib.ts';\nexport default async () => {};`,
    });
    const before = await versions();
    const stderr = await refusal('deploy', folder.path);
    expect(stderr).to.match(/cal\/validate-connection\.ts: line 2, column \d+/);
    expect(stderr).to.contain('tracker/on-webhook.ts: ').and.contain('imports "node:fs", which is part of Node');
    expect(stderr).to.contain('tracker/post-connection-creation.ts: it exports no `default`');
    expect(stderr).to.contain('no integration has the key "trackr"; did you mean "tracker"?');
    expect(stderr).to.contain('cal/onWebhook.ts: not the name of an event').and.contain('did you mean on-webhook.ts?');
    expect(stderr)
      .to.contain('cal/post-conection-creation.mjs: not the name of an event')
      .and.contain('did you mean post-connection-creation.js?');
    expect(stderr).to.contain('cal/x.ts: not the name of an event').and.contain('events: post-connection-creation');
    expect(stderr).not.to.contain('lib.ts');
    expect(await versions()).to.deep.equal(before);
  });

  it('are not deployed at all if an integration is missing', async () => {
    await put({ 'cal/validate-connection.js': SCRIPT, 'zebra/validate-connection.js': SCRIPT });
    const before = await versions();
    expect(await refusal('deploy', folder.path)).to.contain('"zebra"');
    expect(await versions()).to.deep.equal(before);
    await rm(join(folder.path, 'zebra'), { recursive: true });
    expect(summary(await object('deploy', folder.path))).to.deep.equal([['cal', 'validate-connection', 1, 'deployed']]);
  });

  it('are refused in two languages, without a file, and in a missing folder', async () => {
    expect(await refusal('deploy', folder.path)).to.contain('<unique_key>/<event>.ts');
    expect(await refusal('deploy', join(folder.path, 'gone'))).to.contain('ENOENT');
    await put({ 'cal/on-webhook.js': `export const webhookSubscriptions = ['*'];\nexport const onWebhook = async () => {};` });
    expect(await refusal('deploy', folder.path, '--env', 'nowhere')).to.contain('"nowhere"');
    await put({ 'cal/validate-connection.js': SCRIPT, 'cal/validate-connection.ts': SCRIPT });
    expect(await refusal('deploy', folder.path)).to.contain('in TypeScript and in JavaScript');
  });

  it('list their runs, the newest first', async () => {
    await put({ 'cal/validate-connection.js': SCRIPT, 'cal/post-connection-creation.js': SCRIPT });
    await object('deploy', folder.path);
    const scripts = await app.database.db('scripts').orderBy('event').select('id', 'event');
    for (const [index, { id }] of scripts.entries()) {
      await insertRun(app.database.db, {
        id: `00000000-0000-4000-8000-00000000000${index}`,
        scriptId: id,
        environmentId: 1,
        version: 1,
        connectionId: 'c-1',
        status: index === 0 ? 'done' : 'killed',
        cause: index === 0 ? undefined : 'timeout',
        startedAt: new Date(Date.UTC(2026, 0, 1, index)),
        durationMs: 12,
        memoryMb: 1.5,
        log: [{ at: 1, level: 'info', message: 'ran' }],
      });
    }
    const { data } = await object('logs', 'cal');
    expect(data.map(({ event, status, cause }: Record<string, unknown>) => [event, status, cause])).to.deep.equal([
      ['validate-connection', 'killed', 'timeout'],
      ['post-connection-creation', 'done', null],
    ]);
    expect(data[0]).to.have.all.keys(...words`id event version connection_id status cause started_at duration_ms memory_mb log`);
    expect((await object('logs', 'cal', 'post-connection-creation')).data).to.have.length(1);
    const { stdout } = await svc('logs', 'cal', 'validate-connection');
    expect(stdout).to.contain('killed (timeout)').and.contain('12 ms').and.contain('"ran"');
    for (const args of [['nowhere'], ['cal', 'on-webhook']]) expect((await svc('logs', ...args)).code).to.equal(1);
  });

  for (const [what, args] of Object.entries({
    nothing: [],
    'an unknown verb': ['toString'],
    'no folder to begin': ['init'],
    'a key that is a path': ['init', 'a', '--integration', '../b'],
    'two folders': ['deploy', 'a', 'b'],
    'an unknown event': ['logs', 'cal', 'on-monday'],
    'a test without a connection': ['test', 'cal/validate-connection.ts', '--integration', 'cal'],
    'a test that writes offline': ['test', 'validate-connection.ts', '--replay', 'a.json', '--write'],
    'a test of a file that is called otherwise': ['test', 'a.ts', '--replay', 'a.json'],
    'a webhook without a payload': ['test', 'on-webhook.ts', '--replay', 'a.json'],
    'a payload without a webhook': ['test', 'validate-connection.ts', '--replay', 'a.json', '--payload', 'a.json'],
  })) {
    it(`fail with exit code 2 on ${what}`, async () => {
      const error = await scriptsCommand(args).catch((cause: unknown) => cause);
      expect(error).to.be.instanceOf(CommandError).and.include({ exitCode: 2 });
    });
  }

  it('say in one line what they need, and end with 2', async () => {
    const { code, stdout, stderr } = await runCommand(env(), 'scripts', 'logs', 'cal', '--nope');
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr.trimEnd().split('\n')).to.have.length(1);
  });
});
