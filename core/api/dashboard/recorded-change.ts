import type { Knex } from 'knex';
import { withLongTransaction } from '../../db/transaction.ts';
import type { AuditContext, NewAuditEntry } from '../../journal/audit-trail/entry.ts';
import { type RecordDeps, recordAudit } from '../../journal/audit-trail/record.ts';
import type { Caller } from '../../server/access/caller.ts';
import type { Environment } from '../../tenants/environments/environment-store.ts';
import type { MemberCaller } from '../../tenants/members/caller.ts';
import type { ShownFactor } from '../../tenants/members/factors/show-factor.ts';
import { auditContext } from '../audit-context.ts';

export type Change = Omit<NewAuditEntry, keyof AuditContext> & Pick<AuditContext, 'environmentId'>;

export interface ChangeAuthor {
  readonly caller: Caller;
  readonly address: string;
}

/**
 * Commits a change and its entry in the audit trail in one transaction.
 *
 * @param change calls `record` last, because other entries of the audit trail have to wait from then until the commit
 */
export async function recordedChange<Services extends RecordDeps, Result>(
  services: Services,
  by: ChangeAuthor,
  change: (here: Services & { readonly db: Knex.Transaction }, record: (entry: Change) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  return withLongTransaction(services.db, (trx) => {
    const here = { ...services, db: trx };
    return change(here, (entry) => recordAudit(here, { ...auditContext(by), ...entry }));
  });
}

export function environmentCreated({ id, name, isProduction }: Environment): Change {
  const subject = { type: 'environment', id: String(id), name } as const;
  return { environmentId: id, action: 'environment.create', subject, facts: { is_production: isProduction } };
}

export function environmentChanged({ id, name }: Environment, facts: NewAuditEntry['facts']): Change {
  return { environmentId: id, action: 'environment.update', subject: { type: 'environment', id: String(id), name }, facts };
}

/** Returns the audit entry for an action of a member on their own membership. */
export function memberDid(
  action: NewAuditEntry['action'],
  { memberId, email }: MemberCaller,
  facts: NewAuditEntry['facts'] = {},
): Change {
  return { action, subject: { type: 'member', id: String(memberId), name: email }, facts };
}

/** Returns an audit entry if a recovery code was used, by somebody who has lost a factor or by a thief; otherwise none. */
export function recoveryCodeUsed(member: MemberCaller, { kind, left }: ShownFactor): readonly Change[] {
  return kind === 'recovery' ? [memberDid('member.recovery_code_use', member, { left })] : [];
}
