import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { withoutInheritedHandles } from './inherited-handles.ts';
import { canReadResidentMemory } from './resident-memory.ts';

/** V8's last words; more is not read. */
const MAX_COMPLAINT_LENGTH = 4_096;
/** For what it wrote before it died. */
const LAST_WORDS_MS = 100;
/** Of a process that starts: behind the service, which must not starve it either, and before the scripts that run. */
const STARTING_PRIORITY = 15;
const SESSION_PRIORITY = 10;
/** The kernel, short of memory, should take a runner before anything else (proc_pid_oom_score_adj(5)). */
const FIRST_TO_GO = '1000';

/** The channel. */
export interface Streams {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

/** A process for scripts, started by this one or for it. */
export interface RunnerProcess {
  /** Undefined until it is there. */
  readonly pid: number | undefined;
  /** Pending until it is there, and for ever where it could not be started. */
  readonly streams: Promise<Streams>;
  /** Resolves when it has ended or could not be started, with V8's reason for a crash, or Node's for not starting. */
  readonly ended: Promise<string>;
  /** Gives it the lowest priority there is. */
  lower(): void;
  /** SIGKILL. */
  kill(): void;
}

/**
 * Starts one here.
 *
 * Linux shares processor time between sessions first, and priorities count within each. So it must not be in the service's; but a
 * session that has just begun goes first for some milliseconds, and whoever starts many has one for all of them.
 *
 * @throws what the system refuses at once
 */
export function startRunner(args: readonly string[], session: 'own' | 'shared'): RunnerProcess {
  const isOwn = session === 'own';
  const place = { env: {}, cwd: '/', detached: isOwn } as const;
  const child = withoutInheritedHandles(['pipe', 'pipe', 'pipe'], (stdio) => spawn(process.execPath, args, { ...place, stdio }));
  const { pid, stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('a process without streams');
  const lowerTo = (priority: number) => {
    if (pid === undefined) return;
    lower(pid, priority);
    // The second time for those that began together with others.
    if (isOwn) lowerSession(pid);
  };
  lowerTo(STARTING_PRIORITY);
  let complaint = '';
  stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString('latin1').slice(0, MAX_COMPLAINT_LENGTH);
    if (complaint.length >= MAX_COMPLAINT_LENGTH) stderr.pause();
  });
  const { promise: silence, resolve: fallSilent } = Promise.withResolvers<void>();
  stderr.once('close', fallSilent);
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  child.once('error', (error) => end(String(error)));
  child.once('exit', () => void Promise.race([silence, wait(LAST_WORDS_MS)]).then(() => end(complaint)));
  return {
    pid,
    streams: Promise.resolve({ stdin, stdout }),
    ended,
    lower: () => lowerTo(constants.priority.PRIORITY_LOW),
    kill: () => child.kill('SIGKILL'),
  };
}

/** Every thread of it: Linux keeps the priority by thread, and those started later inherit it. */
export function lower(pid: number, priority: number): void {
  attempt(() => setPriority(pid, priority));
  if (!canReadResidentMemory) return;
  attempt(() => writeFileSync(`/proc/${pid}/oom_score_adj`, FIRST_TO_GO));
  attempt(() => {
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), priority);
  });
}

/**
 * Of everything in a process's session, against other sessions (sched(7), "The autogroup feature"). Not the lowest there is: on a
 * machine with other work scripts would have next to nothing, and die of their time limit.
 *
 * @returns false where it may be tried again: users without privileges change one in a tenth of a second, all together
 */
export function lowerSession(pid: number): boolean {
  try {
    if (canReadResidentMemory) writeFileSync(`/proc/${pid}/autogroup`, String(SESSION_PRIORITY));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EAGAIN';
  }
}

/** What a container may forbid, and what a process that has just died no longer has. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // The run's limits hold without it.
  }
}
