import { type FileHandle, link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushDirectory } from './private-file.ts';

/** Writes a new file that only its owner may read, completely or not at all. An existing file is never replaced. */
export async function writeNew<T>(path: string, fill: (draft: FileHandle) => Promise<T>): Promise<T> {
  const draft = `${path}.${process.pid}.tmp`;
  const file = await open(draft, 'wx', 0o600);
  try {
    const result = await fill(file);
    await file.sync();
    await link(draft, path); // unlike a rename, this fails when the file exists
    await flushDirectory(dirname(path));
    return result;
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}
