import type { KeyRing } from '../../kit/key-ring.ts';
import { ALL_SEALED, type SealedColumn, type SealedRows, type SealedTable } from '../keys/sealed-columns.ts';
import { bindingOf } from '../keys/seals.ts';
import { copiedRow } from './copied-row.ts';
import { BackupFault, type BackupTable, type RowCounts } from './format.ts';
import { headerOf, readBackup, requireKnownSchema } from './read-backup.ts';

interface CheckedBackup {
  readonly rows: RowCounts;
  /** How many values were decrypted or found to be authentic: one of each column that has any. */
  readonly readable: number;
}

/**
 * Reads a backup to its end, counts its rows, and decrypts one value of each encrypted column. Writes nothing.
 *
 * @throws BackupFault when the file is incomplete, or made by a newer version, or a value cannot be read with these keys
 */
export async function checkBackup(path: string, keys: KeyRing): Promise<CheckedBackup> {
  await requireKnownSchema(await headerOf(path));
  let readable = 0;
  const { rows } = await readBackup(path, async (table, lines) => {
    const unread = new Set(ALL_SEALED.filter((sealed) => sealed.table === table.table));
    for await (const line of lines) {
      if (unread.size > 0) readable += readSealed(line, { table, unread, keys });
    }
  });
  return { rows, readable };
}

interface Unread {
  readonly table: BackupTable;
  /** The columns of which no value was read yet. */
  readonly unread: Set<SealedColumn>;
  readonly keys: KeyRing;
}

/** Reads the values of a row in columns of which none was read yet. @returns their number */
function readSealed(line: Buffer, { table, unread, keys }: Unread): number {
  const row = copiedRow(line.toString('utf8'), table.columns);
  const present = [...unread].filter(({ column }) => Buffer.isBuffer(row[column]));
  for (const sealed of present) {
    if (!isReadable(keys, sealed, row))
      throw new BackupFault(`the keys do not open what is in ${sealed.table}.${sealed.column} of the backup`);
    unread.delete(sealed);
  }
  return present.length;
}

function isReadable(keys: KeyRing, sealed: SealedColumn, row: Readonly<Record<string, unknown>>): boolean {
  const value = row[sealed.column];
  if (!Buffer.isBuffer(value)) return false;
  try {
    const binding = bindingOf(sealed, row as unknown as SealedRows[SealedTable]);
    if ('statement' in binding) return keys.isAuthentic(value, binding.statement);
    keys.decrypt(value, binding.place);
    return true;
  } catch {
    return false;
  }
}
