import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';

const PROGRAM = 'postgres';
/** Matches `<pid> (<name>) <state> <parent> …`; the name may contain anything (proc_pid_stat(5)). */
const STAT = /^\d+ \((.*)\) . (\d+) /s;
/** Matches lines of `p<pid>`, `R<parent>`, `fcwd`, `n<path>` (lsof(8), OUTPUT FOR OTHER PROGRAMS). */
const LSOF = /^p(\d+)\nR(\d+)\nfcwd\nn(.*)$/gm;

export interface ServerProcess {
  readonly pid: number;
  readonly parentPid: number;
}

/**
 * Returns the processes of servers that run on a cluster, as far as this process can see them: it cannot see those of another PID
 * namespace and, in some containers, those of another user.
 *
 * They are recognised by their working directory, which Postgres changes to the cluster's folder. The folders themselves are
 * compared, not their names or recorded process IDs: the same folder may have another name through a symbolic link or a bind
 * mount, and a recorded process ID may belong to another program by now.
 */
export function serverProcesses(cluster: string): readonly ServerProcess[] {
  const folder = statSync(cluster, { throwIfNoEntry: false });
  if (folder === undefined) return [];
  return process.platform === 'linux' ? fromProc(folder) : fromLsof(folder);
}

function fromProc(folder: Stats): readonly ServerProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isIn(`/proc/${name}/cwd`, folder));
  return pids.flatMap((pid) => {
    const [, name, parentPid] = STAT.exec(read(`/proc/${pid}/stat`)) ?? [];
    return name === PROGRAM ? [{ pid: Number(pid), parentPid: Number(parentPid) }] : [];
  });
}

/** Finds the processes with `lsof`, on systems other than Linux. */
function fromLsof(folder: Stats): readonly ServerProcess[] {
  let listed = '';
  try {
    const options = ['-a', '-d', 'cwd', '-c', PROGRAM, '-FpRn'];
    listed = execFileSync('lsof', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return []; // no processes, or no lsof: a server that listens is still found through its socket
  }
  return [...listed.matchAll(LSOF)]
    .filter(([, , , path = '']) => isIn(path, folder))
    .map(([, pid, parentPid]) => ({ pid: Number(pid), parentPid: Number(parentPid) }));
}

function isIn(path: string, folder: Stats): boolean {
  try {
    const { dev, ino } = statSync(path);
    return dev === folder.dev && ino === folder.ino;
  } catch {
    return false; // the process has ended, or access is denied
  }
}

/** Reads a file that describes a process; empty if the process has ended in the meantime. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
