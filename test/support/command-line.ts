import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LOOPBACK_ONLY } from './loopback-only.ts';
import { size } from './size.ts';

const CLI = fileURLToPath(new URL('../../core/cli/main.ts', import.meta.url));
const TIMEOUT_MS = size(120_000, 1_200_000);

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command of the service's command line in a process of its own, with a bare environment. */
export function runCommand(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CommandResult> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  execFile(
    process.execPath,
    [...LOOPBACK_ONLY, CLI, ...args],
    { env: { PATH, HOME, NODE_COMPILE_CACHE, ...env }, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' },
    (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    },
  );
  return promise;
}
