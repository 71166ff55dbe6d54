import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** Node keeps compiled code in a folder for each user ID: of root, the first user of macOS and of Linux, and the image's. */
const USERS = [0, 501, 1000, 3003];

/** Starts the service of a release once, so that Node stores what it compiles, which later starts in any place then read. */
export async function storeCompiledCode(folder: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-release-'));
  // Root runs the database as another user, who must be able to enter.
  await chmod(dataDir, 0o711);
  const env = { SVC_DATA_DIR: dataDir, PORT: '0', SVC_BASE_URL: 'http://localhost:3003', PATH: '/usr/bin:/bin' };
  try {
    const service = spawn(join(folder, 'node_modules/.bin/node'), ['core/start.js'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface(service.stdout)) if (JSON.parse(line).message === 'ready') break;
    if (service.exitCode !== null) throw new Error('the service of the release does not start');
    service.stdout.resume();
    await promisify(execFile)(join(folder, 'svc'), ['env', 'list'], { env });
    service.kill('SIGTERM');
    await once(service, 'exit');
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  await offerToAll(join(folder, 'node_modules/.cache/compiled'));
}

/** Lets other users than the one who built the release read what Node has stored. */
async function offerToAll(cache: string): Promise<void> {
  const [stored = ''] = await readdir(cache);
  for (const file of await readdir(join(cache, stored))) await chmod(join(cache, stored, file), 0o644);
  const tag = stored.slice(0, stored.lastIndexOf('-'));
  await rename(join(cache, stored), join(cache, tag));
  for (const user of USERS) await symlink(tag, join(cache, `${tag}-${user}`));
}
