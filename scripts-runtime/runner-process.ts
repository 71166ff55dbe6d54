import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { withoutInheritedHandles } from './inherited-handles.ts';

/** The maximum length of stderr that is read, enough for V8's reason for a crash. */
const MAX_STDERR_LENGTH = 4_096;
/** The time to wait for the rest of stderr after the exit. */
const STDERR_WAIT_MS = 100;
/** The score that makes the kernel, when short of memory, kill a runner before anything else (proc_pid_oom_score_adj(5)). */
const FIRST_TO_KILL = '1000';

export interface RunnerProcess {
  /** Undefined if the process could not be started. */
  readonly pid: number | undefined;
  /** The channel to the runner; `stdout` is the channel from it. */
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the process has exited or could not be started, with V8's reason for a crash or Node's for the failure. */
  readonly exited: Promise<string>;
  /** Sends SIGKILL. */
  kill(): void;
}

/**
 * Starts a runner with no environment and none of the handles of this process. The runner lowers its own priority (`child.ts`).
 * It stays in the service's session, because Linux shares processor time between sessions first (sched(7), "The autogroup
 * feature").
 *
 * @throws if the system refuses immediately
 */
export function startRunner(args: readonly string[]): RunnerProcess {
  const child = withoutInheritedHandles(['pipe', 'pipe', 'pipe'], (stdio) =>
    spawn(process.execPath, args, { env: {}, cwd: '/', stdio }),
  );
  const { pid, stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('the runner process has no standard streams');
  if (pid !== undefined) killFirst(pid);
  let text = '';
  stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1').slice(0, MAX_STDERR_LENGTH);
    if (text.length >= MAX_STDERR_LENGTH) stderr.pause();
  });
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  stderr.once('close', close);
  const { promise: exited, resolve: exit } = Promise.withResolvers<string>();
  child.once('error', (error) => exit(String(error)));
  child.once('exit', () => void Promise.race([closed, wait(STDERR_WAIT_MS)]).then(() => exit(text)));
  return { pid, stdin, stdout, exited, kill: () => child.kill('SIGKILL') };
}

/**
 * Makes the runner the first process that the kernel kills when it is short of memory. The parent does this, because a child that
 * has given up root may not.
 */
function killFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, FIRST_TO_KILL);
  } catch {
    // This is not Linux, or a container forbids it. The limits of the run hold without it.
  }
}
