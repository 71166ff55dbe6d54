import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { databaseRoot } from './database-root.ts';

/** A temporary folder, which disposal removes. */
export interface Folder extends AsyncDisposable {
  readonly path: string;
}

/** Creates a temporary folder with these files, by relative path. */
export async function makeFolders(files: Readonly<Record<string, string>>): Promise<Folder> {
  const folder = await folderIn(tmpdir(), 'svc-folders-');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder.path, dirname(name)), { recursive: true });
    await writeFile(join(folder.path, name), text);
  }
  return folder;
}

/**
 * Creates a temporary folder for a database, in memory if possible. Every user of the system may enter it, because the database
 * server may run as another user than the test.
 */
export async function temporaryFolder(): Promise<Folder> {
  return passable(await folderIn(await databaseRoot(), 'svc-embedded-'));
}

/** Creates such a folder on disk, where programs may be executed; some systems forbid that in memory. */
export async function temporaryDiskFolder(): Promise<Folder> {
  return passable(await folderIn(tmpdir(), 'svc-embedded-'));
}

async function folderIn(parent: string, prefix: string): Promise<Folder> {
  const path = await mkdtemp(join(parent, prefix));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function passable(folder: Folder): Promise<Folder> {
  await chmod(folder.path, 0o711);
  return folder;
}
