import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** open(2): the handle does not survive the start of another program. */
const O_CLOEXEC = 0o2000000;
const FIRST_OTHER = 3;

type Handle = 'pipe' | 'ignore' | 'ipc' | number;

/**
 * Starts a program so that it has nothing of ours but these handles.
 *
 * What Node opens closes itself in a new program. What Node was given when it was started itself (a shell's or a supervisor's)
 * does not, and Node would hand it on: each such number is filled with `/dev/null`.
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

/** None where there is no `/proc`: there the list cannot be had. */
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
    // The handle with which the list was read.
    return false;
  }
}
