import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { checkFolders } from '../../core/cli/plugin/check.ts';
import type { RehearsalStep } from '../../core/cli/rehearsal/step.ts';
import { CommandLine, runCommand } from '../support/command-line.ts';
import { makeFolders } from '../support/folders.ts';
import { projectFolder } from '../support/source-files.ts';
import { use } from '../support/use.ts';
import { EVENTS, FAULTS, HANDSHAKE, json, OAUTH2, SIGNED, WEBHOOK_CASE } from './plugin-faults.ts';

const BUNDLED = [join(projectFolder, 'providers'), join(projectFolder, 'plugins')];
/** The time limit for checking the whole catalogue: ten times the usual duration, because the machine may be busy. */
const CATALOGUE_MS = 30_000;

describe('the command `plugin check`', function () {
  this.timeout(60_000);
  const commandLine = use(this, async () => new CommandLine());

  for (const [what, { step, says, advises, in: inFile = 'provider.json', at, ...files }] of Object.entries(FAULTS)) {
    it(`finds ${what}`, async () => {
      await using folders = await makeFolders(
        Object.fromEntries(Object.entries(files).map(([name, text]) => [`acme/${name}`, text])),
      );
      const failed = (await stepsOf(folders.path)).filter(({ status }) => status === 'failed');
      expect(failed.map(({ name }) => name)).to.include(step);
      const fault = failed.find(({ name }) => name === step);
      expect(fault?.detail).to.match(says);
      if (advises !== undefined) expect(fault?.advice).to.match(advises);
      expect(basename(fault?.file ?? '')).to.equal(inFile);
      if (at === undefined) return;
      const lines = (await readFile(join(folders.path, 'acme', inFile), 'utf8')).split('\n');
      expect(lines[(fault?.line ?? 0) - 1]).to.contain(at);
    });
  }

  it('finds nothing wrong with a sound folder, in whichever way its path is written', async () => {
    await using folders = await makeFolders({
      'acme/provider.json': json({
        ...OAUTH2,
        webhook: { signature: { ...SIGNED.signature, signed: '${body}' }, events: EVENTS, handshake: [HANDSHAKE] },
      }),
      'acme/webhook-case.ts': WEBHOOK_CASE(''),
      'broken/provider.json': '{',
    });
    for (const place of [join(folders.path, 'acme'), folders.path]) {
      const acme = await stepsOf(place);
      expect(acme.filter(({ status }) => status === 'failed')).to.deep.equal([]);
      const done = acme.filter(({ status }) => status === 'ok').map(({ name }) => name);
      expect(done).to.include.members([
        'authorization',
        'exchange',
        'verification',
        'renewal',
        'proxied call',
        'webhook',
        'handshake',
      ]);
    }
    const all = await checkFolders([folders.path]);
    expect(all.map(({ folder }) => folder)).to.have.members(['acme', 'broken']);
  });

  it('reports what it cannot check', async () => {
    const installed = JSON.parse(await readFile(join(projectFolder, 'providers/github-app/provider.json'), 'utf8'));
    await using folders = await makeFolders({
      'acme/provider.json': json(installed),
      'code/plugin.ts': 'export default { contract: 1 };',
    });
    const all = await checkFolders([folders.path]);
    for (const { steps } of all)
      expect(steps.filter(({ status }) => status === 'not_walked').map(({ name }) => name)).to.deep.equal(['connection']);
    expect(all.map(({ folder }) => folder)).to.have.members(['acme', 'code']);
  });

  it('is passed by every bundled folder, within seconds, and leaves nothing behind', async () => {
    await using temporary = await makeFolders({});
    const startedAt = performance.now();
    const checked = await runCommand({ TMPDIR: temporary.path }, 'plugin', 'check', ...BUNDLED, '--json');
    expect(performance.now() - startedAt).to.be.below(CATALOGUE_MS);
    const { folders, failed } = JSON.parse(checked.stdout);
    const faults = folders.flatMap(({ folder, steps }: { folder: string; steps: RehearsalStep[] }) =>
      steps.filter(({ status }) => status === 'failed').map(({ name, detail }) => `${folder}: ${name}: ${detail}`),
    );
    expect([faults, failed, checked.code]).to.deep.equal([[], 0, 0]);
    const names = (await Promise.all(BUNDLED.map((dir) => readdir(dir)))).flat().filter((name) => !name.endsWith('.md'));
    expect(folders.map(({ folder }: { folder: string }) => folder)).to.have.members(names);
    expect(await readdir(temporary.path)).to.deep.equal([]);
  });

  it('prints a line for each step, and fails with the folders that failed', async () => {
    await using folders = await makeFolders({
      'acme/provider.json': json(OAUTH2),
      'broken/provider.json': json({ ...OAUTH2, token_params: { a: '${connectionConfig.none}' } }),
    });
    const { code, stdout, stderr } = await runCommand({}, 'plugin', 'check', folders.path);
    expect([code, stderr.trim()]).to.deep.equal([1, 'checks failed: broken']);
    expect(stdout).to.match(/^acme\n {2}ok {10}loading/m);
    expect(stdout).to.match(/^ {2}n\/a {9}subscription {7}the plugin registers no webhooks$/m);
    expect(stdout).to.match(/failed {6}templates .*\n +at .*broken\/provider\.json:\d+\n +declare the field/);
    expect(stdout).to.match(/2 checked in \d+ ms: \d+ ok, \d+ failed, 0 not walked\n$/);
  });

  it('checks single folders without their neighbours, beside whole directories', async () => {
    await using folders = await makeFolders({
      'one/acme/provider.json': json(OAUTH2),
      'one/neighbour/provider.json': '{',
      'two/all/provider.json': json(OAUTH2),
      'two/broken/provider.json': '{',
      'two/deep/provider.json': json(OAUTH2),
      'two/deep/plugin.ts': "import './lib/site.ts';\nexport default { contract: 1 };",
      'two/deep/lib/site.ts': "throw new Error('oops');",
    });
    const [acme, two, gone] = ['one/acme', 'two', 'gone'].map((name) => join(folders.path, name));
    const checked = await checkFolders([acme, two, gone].map((place) => place ?? ''));
    expect(checked.map(({ folder }) => folder)).to.have.members(['acme', 'all', 'broken', 'deep', 'gone']);
    expect((await checkFolders([acme ?? '', gone ?? ''])).map(({ folder }) => folder)).to.have.members(['acme', 'gone']);
  });

  it('names an unreadable directory once', async () => {
    await using folders = await makeFolders({});
    const [checked, ...others] = await checkFolders([join(folders.path, 'gone')]);
    expect(others).to.deep.equal([]);
    expect(checked?.steps.map(({ detail }) => detail)).to.deep.equal(['cannot be read (ENOENT)']);
  });

  it('refuses to run without folders', async () => {
    await using folders = await makeFolders({});
    expect(await commandLine.run({}, 'plugin', 'check')).to.include({ code: 2 });
    expect((await commandLine.run({}, 'plugin', 'check', folders.path)).stderr).to.match(/no folder with a provider\.json/);
    expect((await commandLine.run({}, 'plugin', 'check', join(folders.path, 'none'))).code).to.equal(1);
  });

  async function stepsOf(place: string): Promise<readonly RehearsalStep[]> {
    const checked = await checkFolders([place]);
    return checked.find(({ folder }) => folder === 'acme')?.steps ?? expect.fail('the folder was not checked');
  }
});
