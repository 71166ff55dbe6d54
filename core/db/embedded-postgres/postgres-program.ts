import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../../kit/error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { RunAs } from './run-as.ts';

/**
 * The environment variables of Postgres' programs. None of the service's variables are passed on, since they may hold secrets.
 */
export const BARE_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Runs one of Postgres' programs to its end. @throws EmbeddedPostgresError with what it wrote to standard error */
export async function runProgram(program: string, args: readonly string[], user: RunAs | undefined): Promise<void> {
  try {
    await promisify(execFile)(program, args, { ...identityOf(user), cwd: '/', env: BARE_ENVIRONMENT });
  } catch (cause) {
    const complaint = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : '';
    if (complaint === '') throw startFault(cause, program, user);
    throw new EmbeddedPostgresError(`${basename(program)} failed: ${complaint}`, { cause });
  }
}

/** Returns the error for a program of Postgres that could not even be started. */
export function startFault(cause: unknown, program: string, user: RunAs | undefined): EmbeddedPostgresError {
  if (cause instanceof EmbeddedPostgresError) return cause;
  const asWhom = user
    ? ` as ${user.name} (as root it needs the right to change to that user; starting as a normal user avoids this)`
    : '';
  return new EmbeddedPostgresError(
    `cannot run ${program}${asWhom}: ${errorCode(cause) ?? cause}. Or set DATABASE_URL to a Postgres 15 or newer`,
    {
      cause,
    },
  );
}

/** Returns the user and group options for `spawn` and similar functions. */
export function identityOf(user: RunAs | undefined): { uid?: number; gid?: number } {
  return user === undefined ? {} : { uid: user.uid, gid: user.gid };
}
