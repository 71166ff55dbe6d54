import type { KeyRing } from '../../kit/key-ring.ts';
import { SEALED_COLUMNS, type SealedColumn, type SealedRows, type SealedTable } from '../keys/sealed-columns.ts';
import { bindingOf } from '../keys/seals.ts';
import type { StoredRow } from './export-store.ts';
import type { ExportedTable, PlainRow } from './tables.ts';

/**
 * Returns a row with its encrypted values in plain text. Proofs are left out, since they are bound to the row's place.
 *
 * @throws KeyRingError when a value cannot be decrypted; Error when a proof is not authentic
 */
export function openRow(keys: KeyRing, table: ExportedTable, { stored, row }: StoredRow): PlainRow {
  const sealed: Record<string, string | null> = {};
  for (const column of sealedColumnsOf(table)) {
    const binding = bindingOf(column, stored as unknown as SealedRows[SealedTable]);
    const value = stored[column.column];
    if ('place' in binding) sealed[column.column] = Buffer.isBuffer(value) ? keys.decrypt(value, binding.place) : null;
    else if (!keys.isAuthentic(Buffer.isBuffer(value) ? value : null, binding.statement))
      throw new Error(`row ${stored['id']} of ${table} was not written by this service`);
  }
  return { row, sealed };
}

/**
 * Encrypts a row for its new place, and returns its columns for `jsonb_populate_record`.
 *
 * @param place the columns that determine the place: ID, environment, and the row that it belongs to
 */
export function sealRow(
  keys: KeyRing,
  table: ExportedTable,
  { row, sealed, place }: PlainRow & { readonly place: Readonly<Record<string, unknown>> },
): Readonly<Record<string, unknown>> {
  const stored: Record<string, unknown> = { ...row, ...place };
  for (const column of sealedColumnsOf(table)) {
    const binding = bindingOf(column, stored as unknown as SealedRows[SealedTable]);
    const plain = sealed[column.column];
    if ('statement' in binding) stored[column.column] = hex(keys.authenticate(binding.statement));
    else if (plain !== undefined) stored[column.column] = plain === null ? null : hex(keys.encrypt(plain, binding.place));
  }
  return stored;
}

function sealedColumnsOf(table: ExportedTable): readonly SealedColumn[] {
  if (!isSealed(table)) return [];
  return SEALED_COLUMNS[table].map((column) => ({ table, column }) as SealedColumn);
}

function isSealed(table: string): table is SealedTable {
  return Object.hasOwn(SEALED_COLUMNS, table);
}

/** Returns bytes in the form in which Postgres reads `bytea`. */
function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
