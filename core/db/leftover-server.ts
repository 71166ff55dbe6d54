import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** What `postmaster.pid` says of the server that wrote it (Postgres: src/include/utils/pidfile.h). */
interface PidFile {
  readonly pid: number;
  readonly socketDir: string;
}

const POLL_MS = 10;
// From the gentlest: fast shutdown, immediate shutdown (recovers from the log at the next start), end of the process.
const STEPS = [
  { signal: 'SIGINT', waitMs: 3000 },
  { signal: 'SIGQUIT', waitMs: 1000 },
  { signal: 'SIGKILL', waitMs: 1000 },
] as const;

export function readPidFile(cluster: string): PidFile | undefined {
  try {
    const [pid, , , , socketDir] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return pid && socketDir ? { pid: Number(pid), socketDir } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stops a server that outlived its parent. It is not adopted: a server of our own has the settings of this version and tells
 * us when it ends. Only for the owner of the data directory.
 */
export async function stopLeftoverServer(cluster: string): Promise<void> {
  const found = readPidFile(cluster);
  if (!found) return;
  for (const { signal, waitMs } of STEPS) {
    if (!isServerOf(cluster, found.pid)) return removePidFile(cluster);
    process.kill(found.pid, signal);
    await untilGone(cluster, found.pid, waitMs);
  }
  if (!isServerOf(cluster, found.pid)) return removePidFile(cluster);
  const server = `a database server from an earlier run (process ${found.pid})`;
  throw new EmbeddedPostgresError(`${server} still uses ${cluster} and does not stop: end it, then start again`);
}

/** Postgres takes a process that merely has the old number (after a reboot, in a new container) for a running server. */
function removePidFile(cluster: string): void {
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

async function untilGone(cluster: string, pid: number, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  while (isServerOf(cluster, pid) && performance.now() < deadline) await pause(POLL_MS);
}

/** By its command line, which is empty for a process that has ended but whose parent has not noticed. */
function isServerOf(cluster: string, pid: number): boolean {
  return commandLine(pid).includes(cluster);
}

function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
