import type { Json } from '#contract';
import { afterCommit, withTransaction } from '../../db/transaction.ts';
import { parseJson } from '../../kit/exact-json.ts';
import { redact, safeText } from '../../kit/redact.ts';
import { type AuditDeps, currentAuditKey, openAuditKey } from './audit-keys.ts';
import type { AuditEntryRow, AuditHeadRow, AuditKeyRow } from './audit-rows.ts';
import { auditKeyById, insertEntry, lockHead, moveHead, nowAndNewestKey } from './audit-store.ts';
import { entryMac, headProof, isProven, NO_MAC, UNLINKED } from './chain.ts';
import type { NewAuditEntry } from './entry.ts';
import type { AuditMark } from './mark.ts';

/** Maximum length of the names, IDs and addresses in an entry. Valid ones are not longer; others are cut. */
const MAX_NAME = 255;

export interface RecordDeps extends AuditDeps {
  /** The operation log, which also records the committed entries. */
  readonly activity: { noteAdministration(entry: NewAuditEntry): void };
  /** Undefined without a data directory, in which the mark would be kept. */
  readonly auditMark?: Pick<AuditMark, 'advance'> | undefined;
}

type WrittenColumn = 'sequence' | 'at' | 'previous_mac' | 'mac' | 'key_id';

/**
 * Adds an entry to the audit trail, in the transaction of the change that it describes: both are committed, before the caller
 * gets a response, or neither is.
 *
 * From this call until the commit, no other transaction can add an entry, on any instance. It must therefore be the last step of
 * its transaction, and is meant for administrative changes, which are rare.
 *
 * @throws KeyRingError when the ring lacks the key of the trail
 */
export async function recordAudit({ db, keys, activity, auditMark }: RecordDeps, entry: NewAuditEntry): Promise<void> {
  await withTransaction(db, async (trx) => {
    const head = await lockHead(trx);
    if (head === undefined) throw new Error('the head of the audit trail is missing; run `svc audit verify`');
    const { at, key: newest } = await nowAndNewestKey(trx);
    const previous = await macBefore({ db: trx, keys }, head, newest);
    const key = await currentAuditKey({ db: trx, keys }, newest);
    const unsigned = { ...columnsOf(entry), sequence: head.sequence + 1, at, previous_mac: previous, key_id: key.id };
    const mac = entryMac(key.secret, unsigned);
    await insertEntry(trx, { ...unsigned, mac });
    const last = { sequence: unsigned.sequence, mac, key_id: key.id };
    await moveHead(trx, { ...last, proof: headProof(key.secret, last) });
    afterCommit(trx, () => {
      auditMark?.advance(last);
      activity.noteAdministration(entry);
    });
  });
}

/**
 * Returns the previous HMAC for the next entry; `UNLINKED` if the head was altered. In that case the next entry must not make the
 * trail look complete, but the service must not stop working either.
 */
async function macBefore({ db, keys }: AuditDeps, head: AuditHeadRow, newest: AuditKeyRow | undefined): Promise<Buffer> {
  if (head.mac === null || head.key_id === null) return newest === undefined ? NO_MAC : UNLINKED;
  const row = head.key_id === newest?.id ? newest : await auditKeyById(db, head.key_id);
  return row !== undefined && isProven(head, openAuditKey(keys, row).secret) ? head.mac : UNLINKED;
}

function columnsOf({
  source,
  accountId,
  environmentId,
  action,
  subject,
  facts = {},
}: NewAuditEntry): Omit<AuditEntryRow, WrittenColumn> {
  const { actor, address } = source;
  return {
    account_id: accountId,
    environment_id: environmentId ?? null,
    actor_kind: actor.kind,
    actor_id: named(actor.id),
    actor_name: named(actor.name),
    action,
    subject_type: subject.type,
    subject_id: named(subject.id),
    subject_name: named(subject.name),
    // In the form in which the database returns it, without undefined properties, so that the HMAC can be verified.
    facts: parseJson(JSON.stringify(redact(facts))) as Readonly<Record<string, Json>>,
    address: named(address),
  };
}

function named(text: string | undefined): string | null {
  return text === undefined ? null : safeText(text, MAX_NAME);
}
