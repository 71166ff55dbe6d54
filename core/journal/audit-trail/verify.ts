import { timingSafeEqualBytes } from '../../kit/timing-safe-equal.ts';
import { type AuditDeps, openAuditKey } from './audit-keys.ts';
import type { AuditEntryRow, AuditHeadRow } from './audit-rows.ts';
import { auditKeyById, countMembers, entriesAfter, hasAuditKey, hasEntryWithMac, readHead } from './audit-store.ts';
import { entryMac, isProven, NO_MAC, UNLINKED } from './chain.ts';
import type { Mark } from './mark.ts';

const PAGE = 500;

/**
 * A fault of the trail. `end_altered`: the head, which says which entry is the last, was changed or does not belong to these
 * entries.
 */
export type AuditFault = 'altered' | 'missing' | 'reordered' | 'cut_off' | 'end_altered';

/** The result of a check: how much of the trail is unaltered. */
interface AuditVerdict {
  /** Number of intact entries, from the first on. */
  readonly verified: number;
  /**
   * The HMAC of the last intact entry, in hex: whoever keeps a copy of it elsewhere can later check that this entry is still the
   * same.
   */
  readonly lastMac: string;
  readonly broken?: { readonly sequence: number; readonly fault: AuditFault };
}

interface Progress {
  readonly sequence: number;
  readonly mac: Buffer;
  readonly keyId: number;
}

/**
 * Checks the whole trail, page by page. Entries may be added at the same time.
 *
 * @param mark a point that the trail once reached, from a place where the database's users cannot write
 */
export async function verifyAudit(deps: AuditDeps, mark?: Mark): Promise<AuditVerdict> {
  const keyOf = keyReader(deps);
  // A key is created with the first entry. It is looked up before the entries are read: if it exists, the first entry must exist,
  // too.
  const isBegun = await hasAuditKey(deps.db);
  let last: Progress = { sequence: 0, mac: NO_MAC, keyId: 0 };
  for (let head: AuditHeadRow | undefined; ; ) {
    const page = await entriesAfter(deps.db, last.sequence, PAGE);
    for (const row of page) {
      const fault = await faultOf(deps, { row, last, key: await keyOf(row.key_id) });
      if (fault !== undefined) return verdict(last, fault);
      if (row.sequence === mark?.sequence && !row.mac.equals(mark.mac)) return verdict(last, 'altered');
      last = { sequence: row.sequence, mac: row.mac, keyId: row.key_id };
    }
    if (page.length > 0) continue;
    if (isBegun && last.sequence === 0) return verdict(last, 'cut_off');
    // The head was read before this page, so its entry must be in this page or an earlier one.
    if (head !== undefined && head.sequence > last.sequence) return verdict(last, 'cut_off');
    head = await readHead(deps.db);
    if (head === undefined || head.sequence < last.sequence) return verdict(last, 'end_altered');
    if (head.sequence > last.sequence) continue;
    if (!(await isHeadOf(last, head, keyOf))) return verdict(last, 'end_altered');
    const least = Math.max(mark?.sequence ?? 0, await countMembers(deps.db));
    return last.sequence < least ? verdict(last, 'cut_off') : verdict(last);
  }
}

function verdict({ sequence, mac }: Progress, fault?: AuditFault): AuditVerdict {
  const broken = fault && { sequence: fault === 'end_altered' ? sequence : sequence + 1, fault };
  return { verified: sequence, lastMac: mac.toString('hex'), ...(broken && { broken }) };
}

type KeyReader = (id: number) => Promise<Buffer | undefined>;

/** Returns a function that reads each key only once; its result is undefined when the key is missing or cannot be decrypted. */
function keyReader({ db, keys }: AuditDeps): KeyReader {
  const known = new Map<number, Buffer | undefined>();
  return async (id) => {
    if (!known.has(id))
      known.set(id, await auditKeyById(db, id).then((row) => row && openOrNone(() => openAuditKey(keys, row).secret)));
    return known.get(id);
  };
}

function openOrNone(open: () => Buffer): Buffer | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

async function faultOf(
  { db }: AuditDeps,
  { row, last, key }: { readonly row: AuditEntryRow; readonly last: Progress; readonly key: Buffer | undefined },
): Promise<AuditFault | undefined> {
  if (row.sequence !== last.sequence + 1) return 'missing';
  const { mac, ...unsigned } = row;
  const isOwn = key !== undefined && timingSafeEqualBytes(mac, entryMac(key, unsigned));
  const follows = row.previous_mac.equals(last.mac);
  // The ID of the key must not decrease: somebody who knows only an old key must not be able to add entries after those of a
  // newer key.
  if (isOwn && follows && row.key_id >= last.keyId) return undefined;
  if (isOwn && row.previous_mac.equals(UNLINKED)) return 'cut_off';
  if (!follows && !isOwn && (await hasEntryWithMac(db, row.previous_mac))) return 'reordered';
  return 'altered';
}

async function isHeadOf(last: Progress, head: AuditHeadRow, keyOf: KeyReader): Promise<boolean> {
  if (last.sequence === 0) return head.proof === null;
  const key = await keyOf(last.keyId);
  const isSame = head.mac !== null && head.key_id === last.keyId && head.mac.equals(last.mac);
  return isSame && key !== undefined && isProven(head, key);
}
