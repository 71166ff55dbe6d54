import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { CommandLine } from '../support/command-line.ts';
import { makeFolders } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { storeIntegration, storeKey } from '../support/stored.ts';
import { use, useEach } from '../support/use.ts';

const SCRIPTS = {
  'cal/post-connection-creation.ts': `import { text } from './text.ts';\nexport default async () => text;\n`,
  'cal/text.ts': `export const text: string = 'a';\n`,
  'cal/validate-connection.js': 'export default async () => {};\n',
};

describe('the command `scripts deploy` with a remote service', function () {
  const app = use(this, startApp);
  const folder = useEach(this, () => makeFolders(SCRIPTS));

  before(async () => {
    await storeIntegration(app.api, 'cal');
  });
  beforeEach(async () => {
    await app.database.db('scripts').delete();
  });

  const commandLine = use(this, async () => new CommandLine());
  /** Deploys as from another machine, without the service's database, keys or data directory. */
  const deploy = (key = app.apiKey, url = app.url) =>
    commandLine.run(
      { SVC_DATA_DIR: join(folder.path, 'none') },
      'scripts',
      'deploy',
      folder.path,
      '--url',
      url,
      '--key',
      key,
      '--json',
    );

  it('needs its address and a key, and bundles imports', async () => {
    const { code, stdout, stderr } = await deploy();
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout).data).to.deep.equal([
      { integration: 'cal', event: 'post-connection-creation', version: 1, status: 'deployed' },
      { integration: 'cal', event: 'validate-connection', version: 1, status: 'deployed' },
    ]);
    const again = JSON.parse((await deploy()).stdout).data;
    expect(again.map(({ status }: { status: string }) => status)).to.deep.equal(['unchanged', 'unchanged']);
  });

  it('names everything that is wrong, and deploys nothing', async () => {
    await mkdir(join(folder.path, 'call'));
    await writeFile(join(folder.path, 'call/on-webhook.js'), 'export const a = ;');
    await writeFile(join(folder.path, 'cal/validate.ts'), '');
    const { code, stderr } = await deploy();
    expect(code).to.equal(1);
    expect(stderr).to.contain('did you mean "cal"?').and.contain('call/on-webhook.js: line 1').and.contain('cal/validate.ts');
    expect(await app.database.db('scripts')).to.deep.equal([]);
  });

  it('prints what the service responds', async () => {
    const narrow = await storeKey(app, ['environment:integrations:list', 'environment:scripts:list']);
    for (const [key, words] of [
      ['svc_sk_wrong', 'unknown_account'],
      [narrow.secret, 'environment:scripts:write'],
    ] as const) {
      const { code, stdout, stderr } = await deploy(key);
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.contain(words).and.not.contain(key);
    }
    expect((await deploy(app.apiKey, `http://127.0.0.1:${await freePort()}`)).stderr).to.contain('cannot be reached');
  });

  for (const [what, args] of Object.entries({
    'an address without a key': ['--url', 'https://svc.example.com'],
    'a key without an address': ['--key', 'k'],
    'an environment beside a key': ['--url', 'https://svc.example.com', '--key', 'k', '--env', 'dev'],
    'an address that is none': ['--url', 'svc.example.com', '--key', 'k'],
  })) {
    it(`refuses ${what}`, async () => {
      expect((await commandLine.run({}, 'scripts', 'deploy', folder.path, ...args)).code).to.equal(2);
    });
  }
});
