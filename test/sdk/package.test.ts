import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { installClient, installPacked } from '../support/built-client.ts';
import { use } from '../support/use.ts';

const run = promisify(execFile);

const USER = `
import { type Connection, Svc, verifyWebhook } from 'svc-node';
export async function read(svc: Svc): Promise<Connection> {
  const connection = await svc.connections.get({ connection_id: 'c', provider_config_key: 'k' });
  connection.id satisfies number;
  verifyWebhook('', {}, '') satisfies boolean;
  // @ts-expect-error the integration is missing
  await svc.connections.get({ connection_id: 'c' });
  return connection;
}
`;

/** The compiler options of different kinds of projects that may use the client. */
const PROJECTS: Readonly<Record<string, readonly string[]>> = {
  'CommonJS, resolved as Node 16 does': ['--module', 'node16', '--moduleResolution', 'node16'],
  'CommonJS, resolved as before `exports`': [
    '--module',
    'commonjs',
    '--moduleResolution',
    'node10',
    '--ignoreDeprecations',
    '6.0',
  ],
  'for a bundler': ['--module', 'esnext', '--moduleResolution', 'bundler'],
};

describe('the package of the Node client', function () {
  this.timeout(120_000);
  const user = use(this, () => installClient(installPacked));

  before(async () => {
    await writeFile(join(user.folder, 'package.json'), '{"type": "commonjs"}');
    await writeFile(join(user.folder, 'user.ts'), USER);
  });

  for (const [what, options] of Object.entries(PROJECTS)) {
    it(`compiles in a project that is ${what}`, () => {
      const base = ['--strict', '--noEmit', '--target', 'es2022', '--types', 'node'];
      const compiler = options.includes('node10') ? 'typescript' : undefined;
      expect(user.compile([...base, ...options, 'user.ts'], compiler)).to.equal('');
    });
  }

  it('is the same for require and for import', async () => {
    const names = 'Object.keys(client).filter((name) => name !== "default").sort().join()';
    const required = await run(process.execPath, ['-p', `const client = require('svc-node'); ${names}`], { cwd: user.folder });
    const script = `import * as client from 'svc-node'; console.log(${names});`;
    const imported = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: user.folder });
    expect(required.stdout).to.include('Svc').and.to.equal(imported.stdout);
  });

  it('is built before it is packed, with its licence', async () => {
    const { stdout } = await run('tar', ['-tzf', join(user.folder, 'node_modules/svc-node/svc-node-1.0.0.tgz')]);
    expect(stdout.split('\n')).to.include.members(
      ['LICENSE', 'README.md', 'package.json', 'dist/svc.js', 'dist/svc.d.ts', 'dist/cjs/svc.js', 'dist/cjs/package.json'].map(
        (name) => `package/${name}`,
      ),
    );
  });
});
