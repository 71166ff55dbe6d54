import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { unusable } from './data-directory.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const LOCK_FILE = 'owner.lock';
const PID_FILE = 'owner.pid';
const SQLITE_BUSY = 5;
// Long enough for a command that is just ending to release the lock.
const WAIT_MS = 500;
const RETRY_MS = 50;

/**
 * Makes this process the only owner of a data directory until the result is disposed or the process dies, however it dies.
 *
 * The kernel holds and releases the lock. It is taken through SQLite because Node cannot lock files itself. Unlike a file that
 * holds a process ID, such a lock is never stale, cannot be taken by two processes in a race, and also works between containers
 * that share the directory.
 *
 * @throws EmbeddedPostgresError naming the owner
 */
export async function claimDirectory(dataDir: string): Promise<Disposable> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const lock = tryLock(dataDir);
    if (lock) return lock;
    if (performance.now() > deadline) throw new EmbeddedPostgresError(takenMessage(dataDir));
    await pause(RETRY_MS);
  }
}

function tryLock(dataDir: string): Disposable | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(dataDir, LOCK_FILE), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(join(dataDir, PID_FILE), `${process.pid}\n`, { mode: 0o644 });
  } catch (cause) {
    lock?.close();
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY) return undefined;
    throw unusable(dataDir, cause);
  }
  const held = lock;
  return { [Symbol.dispose]: () => held.close() };
}

function takenMessage(dataDir: string): string {
  const fix = 'stop that process, or set SVC_DATA_DIR to another directory, or let both use one database with DATABASE_URL';
  return `${dataDir} is in use by process ${ownerPid(dataDir)}: ${fix}`;
}

function ownerPid(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, PID_FILE), 'utf8').trim();
  } catch {
    return '(unknown)';
  }
}
