import { userInfo } from 'node:os';
import type { AuditContext } from '../journal/audit-trail/entry.ts';
import type { Environment } from '../tenants/environments/environment-store.ts';

/** Whom the audit trail names for a command: the user of the operating system. */
export function auditContext({ id, accountId }: Pick<Environment, 'id' | 'accountId'>): AuditContext {
  return { ...accountContext(accountId), environmentId: id };
}

/** The same for what is done to an account, or to the whole installation. */
export function accountContext(accountId: number | undefined): AuditContext {
  return { source: { actor: { kind: 'cli', name: userName() } }, accountId: accountId ?? null };
}

/** In a container the user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
