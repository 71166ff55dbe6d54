import { type FileHandle, link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './error-code.ts';
import { flushDirectory } from './private-file.ts';

/** Writes a new file that only its owner may read, completely or not at all. @throws Error when the file exists */
export async function writeNew<T>(path: string, fill: (draft: FileHandle) => Promise<T>): Promise<T> {
  const draft = `${path}.${process.pid}.tmp`;
  const file = await open(draft, 'wx', 0o600);
  try {
    const result = await fill(file);
    await file.sync();
    await link(draft, path).catch((cause: unknown) => {
      // Unlike a rename, a link does not replace a file.
      throw errorCode(cause) === 'EEXIST' ? new Error('the file already exists: choose another name', { cause }) : cause;
    });
    await flushDirectory(dirname(path));
    return result;
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}
