import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushDirectory } from '../../kit/private-file.ts';
import { type DataDirectory, unusable } from './data-directory.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { runProgram } from './postgres-program.ts';

/** The name of the only database role. */
export const ROLE = 'svc';

const INITDB_ARGS = [
  `--username=${ROLE}`,
  // The socket accepts every connection: its folder has mode 0700, so only its owner and root can reach it, who could read the
  // files anyway. A peer check would add nothing, and would refuse root, as whom the service may run while Postgres runs as
  // another user.
  '--auth=trust',
  '--encoding=UTF8',
  // These give the same sort order and case rules on every machine, whatever its C library.
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
];

/**
 * Creates the cluster if there is none. It is initialised in a draft folder, which is renamed last, so an initialisation that was
 * killed leaves no half-finished cluster.
 *
 * @param onWait called when `initdb` has been started, which takes a second or two; not called if the cluster exists
 */
export async function ensureCluster(directory: DataDirectory, binaries: PostgresBinaries, onWait: () => void): Promise<void> {
  const { path, cluster, user } = directory;
  await removeDrafts(cluster);
  if (existsSync(join(cluster, 'PG_VERSION'))) return refuseOtherMajor(cluster, binaries.major);

  // No name is used twice: an initdb whose parent was killed may still be writing to its folder.
  const draft = `${cluster}.new-${randomUUID()}`;
  try {
    await mkdir(draft, { mode: 0o700 });
    if (user) await chown(draft, user.uid, user.gid);
    const initdb = runProgram(binaries.initdb, [...INITDB_ARGS, `--pgdata=${draft}`], user);
    onWait();
    await initdb;
    await rename(draft, cluster);
    await flushDirectory(path);
  } catch (cause) {
    throw cause instanceof EmbeddedPostgresError ? cause : unusable(path, cause);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function removeDrafts(cluster: string): Promise<void> {
  const parent = dirname(cluster);
  const drafts = (await readdir(parent)).map((name) => join(parent, name)).filter((path) => path.startsWith(`${cluster}.new-`));
  // Removing a draft that is still being written to may fail; the next start removes it.
  await Promise.allSettled(drafts.map((path) => rm(path, { recursive: true, force: true })));
}

function refuseOtherMajor(cluster: string, major: string): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (found === major) return;
  const mismatch = `${cluster} was created by Postgres ${found}, but this version contains Postgres ${major}`;
  throw new EmbeddedPostgresError(`${mismatch}: export with the version that created it, then import here`);
}
