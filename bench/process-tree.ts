import { readdir, readFile } from 'node:fs/promises';

/** Linux counts the processor time of processes in hundredths of a second (`USER_HZ`). */
const TICK_SECONDS = 0.01;

/** Returns the IDs of a process and all its descendants, found through the parent IDs in `/proc`. */
export async function processTree(root: number): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(await Promise.all(ids.map(async (id) => [id, await parentOf(id)] as const)));
  const isWithin = (id: number | undefined): boolean => id !== undefined && (id === root || isWithin(parents.get(id)));
  return ids.filter(isWithin);
}

/**
 * Returns the memory of a process, with each shared page divided among the processes that share it (Pss); 0 if the process has
 * just ended.
 */
export async function memoryKilobytes(id: number): Promise<number> {
  const rollup = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s*(\d+)/m.exec(rollup)?.[1] ?? 0);
}

/** Returns the processor time that a process and its descendants have used so far. */
export async function cpuSeconds(root: number): Promise<number> {
  const times = await Promise.all((await processTree(root)).map(ownCpuSeconds));
  return times.reduce((sum, seconds) => sum + seconds, 0);
}

async function parentOf(id: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
  const parent = /^PPid:\s*(\d+)/m.exec(status)?.[1];
  return parent === undefined ? undefined : Number(parent);
}

/** Reads the processor time from fields 14 and 15 of `/proc/<id>/stat`. Field 2 is in parentheses and may contain anything. */
async function ownCpuSeconds(id: number): Promise<number> {
  const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_SECONDS;
}
