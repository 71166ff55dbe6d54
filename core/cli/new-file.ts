import { type FileHandle, link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushDirectory } from '../kit/private-file.ts';

/** A new file that only its owner may read, whole or not at all; none that exists is replaced. */
export async function writeNew<T>(path: string, fill: (draft: FileHandle) => Promise<T>): Promise<T> {
  const draft = `${path}.${process.pid}.tmp`;
  const file = await open(draft, 'wx', 0o600);
  try {
    const result = await fill(file);
    await file.sync();
    await link(draft, path); // unlike a renaming this fails when there is one
    await flushDirectory(dirname(path));
    return result;
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}
