import { spawnSync } from 'node:child_process';
import { skipBecause } from './skip.ts';

/** An option of unshare(1), which names the kind of namespace to create. */
export type Namespace = '--mount' | '--pid' | '--ipc' | '--net';

/** Skips the running test, or all tests of a suite, if this process may not create these namespaces, as in most containers. */
export function needNamespaces(context: Mocha.Context, ...namespaces: readonly Namespace[]): void {
  const probe = spawnSync('unshare', [...namespaces, '--fork', 'sh', '-c', 'mount --bind /tmp /tmp'], { timeout: 5_000 });
  if (probe.status !== 0)
    skipBecause(context, `unshare ${namespaces.join(' ')} is not possible here: it needs root with CAP_SYS_ADMIN`);
}

/** Quotes a text for a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
