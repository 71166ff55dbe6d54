import { statfs } from 'node:fs/promises';

/** The space of a file system, in bytes. `free` is what an unprivileged process may still use. */
export interface DiskUsage {
  readonly total: number;
  readonly free: number;
}

/** Returns the space of the file system that holds a path. */
export async function diskUsage(path: string): Promise<DiskUsage> {
  const { blocks, bavail, bsize } = await statfs(path);
  return { total: blocks * bsize, free: bavail * bsize };
}
