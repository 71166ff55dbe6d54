import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Writes a file that only its owner may read (0600), as a whole or not at all. The file is safely on disk when the promise
 * resolves.
 *
 * @param owner the file's owner, which only root can set. Default: the user of this process
 */
export async function writePrivateFile(path: string, text: string, owner?: FileOwner): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.tmp`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(text);
    if (owner !== undefined) await file.chown(owner.uid, owner.gid);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await flushDirectory(dirname(path));
}

/**
 * Like `writePrivateFile`, but for a file that the command line may also write, perhaps as another user than the service: an
 * existing file keeps its owner, and a new one gets the owner of its directory.
 */
export async function rewritePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { uid, gid } = await stat(path).catch(() => stat(dirname(path)));
  const isOurs = uid === process.geteuid?.();
  await writePrivateFile(path, text, isOurs ? undefined : { uid, gid });
}

/** Writes a directory to the disk, so that the name of a new file in it survives a power cut, not only the content. */
export async function flushDirectory(path: string): Promise<void> {
  await using directory = await open(path);
  await directory.sync();
}
