import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '../../kit/error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type ServerProcess, serverProcesses } from './server-processes.ts';
import { stopUnseenServer } from './unseen-server.ts';

/** The facts in `postmaster.pid` about the server that wrote it (Postgres: src/include/utils/pidfile.h). */
interface PidFile {
  /** Process ID in the PID namespace of that server. */
  readonly pid: number;
  readonly socketDir: string;
}

const POLL_MS = 20;
// The gentlest step comes first: fast shutdown, immediate shutdown (the next start then recovers from the log), killing of all
// processes.
const STEPS = [
  { signal: 'SIGINT', to: postmasters, waitMs: 3000 },
  { signal: 'SIGQUIT', to: topmost, waitMs: 1000 },
  { signal: 'SIGKILL', to: (seen: readonly ServerProcess[]) => seen, waitMs: 1000 },
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
 * Stops a server that outlived its parent. It is not taken over, because only a server that this process has started is certain
 * to have the settings of this version, and can be watched for its end. Only the owner of the data directory may call this.
 */
export async function stopLeftoverServer(cluster: string): Promise<void> {
  for (const { signal, to, waitMs } of STEPS) {
    const seen = serverProcesses(cluster);
    if (seen.length === 0) break;
    for (const { pid } of to(seen)) send(signal, pid);
    await untilNoneIsSeen(cluster, waitMs);
  }
  const [left] = serverProcesses(cluster);
  if (left !== undefined) throw stillThere(cluster, `process ${left.pid}`);

  const found = readPidFile(cluster);
  for (const socketDir of socketDirectories(cluster)) {
    if (await stopUnseenServer(cluster, socketDir)) continue;
    throw stillThere(cluster, `process ${found?.pid ?? 'unknown'} of another container or PID namespace`);
  }
  // After a reboot, or in a new container, another process may have the ID in this file; Postgres would mistake it for a running
  // server.
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/**
 * Returns the folders in which a server of this cluster may listen: the one that `postmaster.pid` names, whose path may be that
 * of another container, and the cluster itself.
 */
export function socketDirectories(cluster: string): readonly string[] {
  return [...new Set([readPidFile(cluster)?.socketDir ?? cluster, cluster])];
}

/**
 * Selects the postmasters. SIGINT must not be sent to their children, for which it has another meaning: the checkpointer would
 * record that the database was shut down.
 */
function postmasters(seen: readonly ServerProcess[]): readonly ServerProcess[] {
  const parents = new Set(seen.map(({ parentPid }) => parentPid));
  return seen.filter(({ pid }) => parents.has(pid));
}

/** Selects the postmasters, and those children whose postmaster was killed. */
function topmost(seen: readonly ServerProcess[]): readonly ServerProcess[] {
  const pids = new Set(seen.map(({ pid }) => pid));
  return seen.filter(({ parentPid }) => !pids.has(parentPid));
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

async function untilNoneIsSeen(cluster: string, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  while (serverProcesses(cluster).length > 0 && performance.now() < deadline) await pause(POLL_MS);
}

function stillThere(cluster: string, who: string): EmbeddedPostgresError {
  const server = `a database server from an earlier run (${who})`;
  return new EmbeddedPostgresError(`${server} still uses ${cluster} and does not stop: end it, then start again`);
}
