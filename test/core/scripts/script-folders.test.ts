import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readScriptFolders } from '../../../core/scripts/scripts-directory.ts';

const NOBODY = 65_534;

describe('folders of scripts', () => {
  it('that cannot be read are reported, and the others are still read', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'svc-script-folders-'));
    for (const key of ['closed', 'open']) {
      await mkdir(join(dir, key));
      await writeFile(join(dir, key, 'validate-connection.js'), 'export default () => {};');
    }
    await chmod(dir, 0o755);
    await chmod(join(dir, 'closed'), 0);
    const { scripts, faults } = await asNobody(() => readScriptFolders([dir]));
    await chmod(join(dir, 'closed'), 0o700);
    await rm(dir, { recursive: true });
    expect(scripts.map(({ uniqueKey }) => uniqueKey)).to.deep.equal(['open']);
    expect(faults).to.deep.equal([{ folder: 'closed', file: 'closed', reason: 'cannot be read (EACCES)' }]);
  });
});

/** Runs the work as an unprivileged user if this process is root, because root can read every folder. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
