import { spawnSync } from 'node:child_process';
import { skipBecause } from './skip.ts';

/** Options of unshare(1). */
export type Namespace = '--mount' | '--pid' | '--ipc' | '--net';

/** Skips the running test, or all of a suite's, where this process may not make such namespaces (as in most containers). */
export function needNamespaces(context: Mocha.Context, ...namespaces: readonly Namespace[]): void {
  const probe = spawnSync('unshare', [...namespaces, '--fork', 'sh', '-c', 'mount --bind /tmp /tmp'], { timeout: 5_000 });
  if (probe.status !== 0)
    skipBecause(context, `unshare ${namespaces.join(' ')} is not possible here: it needs root with CAP_SYS_ADMIN`);
}

/** For a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
