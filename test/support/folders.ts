import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Folders extends AsyncDisposable {
  readonly path: string;
}

/** Creates a temporary directory with these files, by relative path. Disposal removes it. */
export async function makeFolders(files: Readonly<Record<string, string>>): Promise<Folders> {
  const path = await mkdtemp(join(tmpdir(), 'svc-folders-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(path, dirname(name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
