import type { Knex } from 'knex';
import type { AuditEntryRow } from './audit-rows.ts';
import { type AuditFilter, newestEntries, oldestEntries } from './audit-store.ts';
import type { AuditEntry } from './entry.ts';

const LINES_AT_ONCE = 500;

interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** `before` of the next page; undefined when this is the last page. */
  readonly next: number | undefined;
}

/** Returns one page of entries, newest first. */
export async function auditPage(
  db: Knex,
  filter: AuditFilter,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<AuditPage> {
  const rows = await newestEntries(db, filter, { from: before, limit: limit + 1 });
  const shown = rows.slice(0, limit).map(fromRow);
  return { entries: shown, next: rows.length > limit ? shown.at(-1)?.sequence : undefined };
}

/** Returns the entries as JSON lines, oldest first, some hundred at a time, so that a trail of any length can be streamed. */
export async function* auditLines(db: Knex, filter: AuditFilter): AsyncGenerator<string> {
  for (let from: number | undefined; ; ) {
    const rows = await oldestEntries(db, filter, { from, limit: LINES_AT_ONCE });
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(auditRecord(fromRow(row)))}\n`).join('');
    if (rows.length < LINES_AT_ONCE) return;
    from = rows.at(-1)?.sequence;
  }
}

/** Returns an entry as it is shown to callers. */
function auditRecord({ at, accountId, environmentId, previousMac, mac, keyId, ...entry }: AuditEntry) {
  const { sequence, ...about } = entry;
  return {
    sequence,
    at: at.toISOString(),
    account_id: accountId,
    environment_id: environmentId,
    ...about,
    previous_mac: previousMac.toString('hex'),
    mac: mac.toString('hex'),
    key_id: keyId,
  };
}

function fromRow(row: AuditEntryRow): AuditEntry {
  return {
    sequence: row.sequence,
    at: row.at,
    accountId: row.account_id,
    environmentId: row.environment_id,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    subject: { type: row.subject_type, id: row.subject_id, name: row.subject_name },
    facts: row.facts,
    address: row.address,
    previousMac: row.previous_mac,
    mac: row.mac,
    keyId: row.key_id,
  };
}
