import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { CommandError } from '../../core/cli/output.ts';
import { checkFolders } from '../../core/cli/plugin/check.ts';
import { pluginCommand } from '../../core/cli/plugin/plugin.ts';
import { readFacts } from '../contract/facts.ts';
import { type CommandResult, runCommand } from '../support/command-line.ts';
import { makeFolders } from '../support/folders.ts';
import { projectFolder } from '../support/source-files.ts';
import { useEach } from '../support/use.ts';

const TSC = join(projectFolder, 'node_modules/typescript-native/bin/tsc');

describe('plugins on the command line', function () {
  this.timeout(120_000);
  const folders = useEach(this, () => makeFolders({}));
  let acme: string;

  beforeEach(() => {
    acme = join(folders.path, 'acme');
  });

  const svc = (...args: string[]): Promise<CommandResult> => runCommand({}, ...args);

  /** Runs the compiler in the folder as a plugin's author does. @returns its output */
  async function tsc(folder = acme): Promise<string> {
    try {
      await promisify(execFile)(process.execPath, [TSC, '-p', '.'], { cwd: folder });
      return '';
    } catch (error) {
      return String((error as { readonly stdout?: unknown }).stdout);
    }
  }

  /** Runs a plugin command in this process and asserts that it fails. @returns its exit code and message */
  async function refusalOf(...args: string[]): Promise<string> {
    try {
      await pluginCommand(args);
    } catch (error) {
      if (error instanceof CommandError) return `${error.exitCode} ${error.message}`;
      throw error;
    }
    return 'done';
  }

  it('begin with a folder that compiles and loads, with types for the contract', async () => {
    const made = await svc('plugin', 'new', acme, '--json');
    expect(made.code, made.stderr).to.equal(0);
    const files = ['plugin.ts', 'provider.json', 'facts.json', 'package.json', 'tsconfig.json'];
    expect(JSON.parse(made.stdout)).to.deep.equal({ folder: acme, files });
    expect(await tsc()).to.equal('');
    const checked = await svc('plugin', 'check', folders.path);
    expect(checked.code, checked.stderr).to.equal(0);

    const file = join(acme, 'plugin.ts');
    await writeFile(file, (await readFile(file, 'utf8')).replace('{ verify }', "{ verify: 'yes' }"));
    expect(await tsc()).to.match(/plugin\.ts.*Type 'string' is not assignable/s);
    const refused = await svc('plugin', 'check', folders.path);
    expect([refused.code, refused.stderr]).to.deep.equal([1, 'checks failed: acme\n']);
    expect(refused.stdout).to.contain('connection.verify must be a function').and.to.contain(`at ${file}`);
  });

  it('can begin with each of the common auth modes, and pass `plugin check` at once', async () => {
    for (const mode of ['OAUTH2', 'OAUTH2_CC', 'API_KEY', 'BASIC']) {
      const folder = join(folders.path, mode.toLowerCase().replace('_', '-'));
      expect(await refusalOf('new', folder, '--auth-mode', mode)).to.equal('done');
      expect(JSON.parse(await readFile(join(folder, 'provider.json'), 'utf8'))).to.include({ auth_mode: mode });
      expect(await readFacts(folder)).to.have.property('hosts');
    }
    const steps = (await checkFolders([folders.path])).flatMap(({ folder, steps }) => steps.map((step) => ({ folder, ...step })));
    expect(steps.filter(({ status }) => status === 'failed' || status === 'not_walked')).to.deep.equal([]);
    expect(steps.filter(({ name, status }) => name === 'proxied call' && status === 'ok')).to.have.length(4);
    expect(await refusalOf('new', acme, '--auth-mode', 'SMOKE')).to.match(/^2 .*OAUTH2, OAUTH2_CC, API_KEY, BASIC/);
  });

  it('can begin inside this project, too, without paths of this machine', async () => {
    const own = await mkdtemp(join(projectFolder, '.own-plugins-'));
    try {
      const inside = join(own, 'acme');
      for (const folder of [acme, inside]) {
        expect(await svc('plugin', 'new', folder)).to.include({ code: 0 });
        for (const name of ['tsconfig.json', 'provider.json']) await expectRelative(folder, name);
      }
      expect(await tsc(inside)).to.equal('');
    } finally {
      await rm(own, { recursive: true });
    }
  });

  async function expectRelative(folder: string, name: string): Promise<void> {
    const text = await readFile(join(folder, name), 'utf8');
    expect(text, name).not.to.match(/"\//);
    const paths = [...text.matchAll(/(?<=")\.\.\/[^"]+/g)].map(([path]) => path);
    expect(paths, name).not.to.deep.equal([]);
    for (const path of paths) await access(join(folder, path));
  }

  it('overwrite no existing folder, and need a valid name', async () => {
    await mkdir(acme);
    await writeFile(join(acme, 'provider.json'), 'mine');
    expect(await refusalOf('new', acme)).to.match(/^1 .*provider\.json already exists; nothing was written$/);
    expect(await readFile(join(acme, 'provider.json'), 'utf8')).to.equal('mine');
    for (const args of [['new'], ['new', 'Bad Name'], ['new', 'a', 'b'], ['destroy'], []])
      expect(await refusalOf(...args), args.join(' ')).to.match(/^2 /);
  });
});
