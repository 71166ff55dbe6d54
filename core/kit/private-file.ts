import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file that only its owner may read (0600), whole or not at all, and on the disk when this resolves. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.tmp`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await flushFolder(dirname(path));
}

/** The new name must survive a power cut as the text does. */
async function flushFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}
