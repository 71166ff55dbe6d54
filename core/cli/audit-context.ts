import { userInfo } from 'node:os';
import type { AuditContext } from '../journal/audit-trail/entry.ts';
import type { Environment } from '../tenants/environments/environment-store.ts';

/** Returns the audit context of a command in an environment; the actor is the user of the operating system. */
export function auditContext({ id, accountId }: Pick<Environment, 'id' | 'accountId'>): AuditContext {
  return { ...accountContext(accountId), environmentId: id };
}

/** Returns the audit context of a command on an account or, without one, on the whole installation. */
export function accountContext(accountId: number | undefined): AuditContext {
  return { source: { actor: { kind: 'cli', name: userName() } }, accountId: accountId ?? null };
}

/** Returns the user's name, or the user ID: in a container the user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
