import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** The flag of open(2) for a handle that is closed when another program starts. */
const O_CLOEXEC = 0o2000000;
const FIRST_OTHER = 3;

type Handle = 'pipe' | 'ignore' | 'ipc' | number;

/**
 * Starts a program that inherits only these handles.
 *
 * Handles opened by Node are closed in a new program. Those that Node itself inherited (from a shell or a supervisor) are not, so
 * each of their numbers is replaced with `/dev/null`.
 */
export function withoutInheritedHandles<Started>(own: readonly Handle[], start: (stdio: Handle[]) => Started): Started {
  const inherited = new Set(inheritedHandles());
  const nothing = inherited.size > 0 ? openSync('/dev/null', 'r+') : undefined;
  try {
    const others = Array.from({ length: Math.max(own.length - 1, ...inherited) - own.length + 1 }, (_, at) =>
      inherited.has(at + own.length) ? (nothing ?? 'ignore') : 'ignore',
    );
    return start([...own, ...others]);
  } finally {
    if (nothing !== undefined) closeSync(nothing);
  }
}

/** Lists the handles that this process inherited; the list is empty without `/proc`. */
function inheritedHandles(): readonly number[] {
  try {
    return readdirSync('/proc/self/fdinfo')
      .map(Number)
      .filter((handle) => handle >= FIRST_OTHER && survives(handle));
  } catch {
    return [];
  }
}

function survives(handle: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${handle}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    // This was the handle with which the list was read, and it is closed by now.
    return false;
  }
}
