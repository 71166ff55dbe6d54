/**
 * The user and group that scripts run as if the service runs as root. No account has this ID, so nothing belongs to it, and
 * neither the database nor any daemon runs as it (which `nobody` cannot promise).
 *
 * The ID is below 65,536, as a container with a user namespace often has no more (user_namespaces(7)). Debian reserves 65000 to
 * 65533 (policy 9.2.2), systemd assigns nothing from 65520 on, and Alpine has a group 65533.
 */
export const RUNNER_ID = 65_525;

/**
 * Gives up root for good, in all threads. All capabilities go with the user, and other processes of the same user may not trace
 * this one (capabilities(7); PR_SET_DUMPABLE in prctl(2)). Does nothing if this process is not root.
 *
 * The child itself calls this after it has loaded everything, because the user may not be able to read the project's files.
 *
 * @throws if the system refuses, such as in a container without CAP_SETUID; then no script may run
 */
export function dropPrivileges(): void {
  if (process.geteuid?.() !== 0 && process.getuid?.() !== 0) return;
  try {
    process.setgroups?.([]);
    process.setgid?.(RUNNER_ID);
    process.setuid?.(RUNNER_ID);
  } catch (cause) {
    const fix = 'grant it CAP_SETUID and CAP_SETGID, or start the service as another user';
    throw new Error(`scripts do not run as root, and this process may not change its user: ${fix}`, { cause });
  }
}
