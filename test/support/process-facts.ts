import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Returns the ID of the parent process, or undefined when the process does not exist or is a zombie, of which only the exit code
 * is left.
 */
export function parentOf(pid: number): number | undefined {
  try {
    const [state, parent] = statOf(`/proc/${pid}/stat`);
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

/** Returns the IDs of a process's children. */
export function childrenOf(pid: number): readonly number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map(Number).filter((id) => parentOf(id) === pid);
}

/** Returns the resident memory of a process and all its descendants, in bytes; pages that they share count several times. */
export function residentBytes(pid: number): number {
  return ownResidentBytes(pid) + childrenOf(pid).reduce((sum, child) => sum + residentBytes(child), 0);
}

/** Returns the resident memory of a process alone, in bytes. */
export function ownResidentBytes(pid: number): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(statusOf(pid))?.[1] ?? 0) * 1_024;
}

/** Returns the user IDs, group IDs and capabilities that any thread of a process has, each once. */
export function identitiesOf(
  pid: number,
): Readonly<Record<'uids' | 'gids' | 'groups' | 'capabilities', readonly (number | string)[]>> {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'));
  const values = (name: string) => {
    const lines = threads.map((status) => new RegExp(`^${name}:(.*)$`, 'm').exec(status)?.[1] ?? 'missing');
    return [...new Set(lines.flatMap((line) => line.split(/\s+/).filter((value) => value !== '')))];
  };
  return {
    uids: values('Uid').map(Number),
    gids: values('Gid').map(Number),
    groups: values('Groups').map(Number),
    capabilities: [...new Set(['CapPrm', 'CapEff'].flatMap(values).map((value) => value.replace(/^0+(?=.)/, '')))],
  };
}

/** Returns the targets of a process's open file descriptors. */
export function handlesOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

/** Returns `/proc/<pid>/status`; the empty text for a process that has just ended. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Returns the fields of `/proc/<pid>/stat` from the third on. The second is in parentheses and may contain anything, even blanks
 * (proc_pid_stat(5)).
 */
function statOf(file: string): readonly string[] {
  const stat = readFileSync(file, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
