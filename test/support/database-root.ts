import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** The in-memory file system of Linux. Creating a database takes 15 ms there, but half a second on a busy disk. */
export const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** Returns the folder for test databases: in memory if enough of it is free, otherwise on disk. */
export async function databaseRoot(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= ENOUGH_BYTES ? MEMORY : tmpdir();
}
