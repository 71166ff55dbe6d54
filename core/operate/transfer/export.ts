import type { Knex } from 'knex';
import { inSnapshot } from '../../db/snapshot.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import type { Environment } from '../../tenants/environments/environment-store.ts';
import { exportedRows, type StoredRow } from './export-store.ts';
import { openRow } from './plain-rows.ts';
import { type Counts, FORMAT, FORMAT_VERSION, lineOf, type RowRecord } from './records.ts';
import { type ExportedTable, LOCAL_COLUMNS, type PlainRow } from './tables.ts';

/** The exported tables in the order in which an import can write them: rows that others refer to come first. */
const TABLES = Object.keys(LOCAL_COLUMNS) as readonly ExportedTable[];

interface ExportOptions {
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly environment: Environment;
  readonly now: Date;
}

/**
 * Writes everything of an environment that another installation needs to take it over, as lines of JSON with all secrets in plain
 * text: the caller must encrypt them. The export reflects a single moment; memory holds one page of rows at a time.
 *
 * @param write resolves when the line is accepted
 */
export function exportEnvironment(
  { db, keys, environment, now }: ExportOptions,
  write: (line: Buffer) => Promise<void>,
): Promise<Counts> {
  return inSnapshot(db, async (trx) => {
    const about = { exported_at: now.toISOString(), environment: environment.name };
    await write(lineOf({ kind: 'header', format: FORMAT, version: FORMAT_VERSION, ...about }));
    const counts: Partial<Record<ExportedTable, number>> = {};
    for (const table of TABLES) {
      counts[table] = 0;
      for await (const stored of exportedRows(trx, table, environment.id)) {
        await write(lineOf(recordOf(table, stored, openRow(keys, table, stored))));
        counts[table] += 1;
      }
    }
    await write(lineOf({ kind: 'end', counts }));
    return counts;
  });
}

function recordOf(kind: ExportedTable, { stored, integration, event }: StoredRow, plain: PlainRow): RowRecord {
  const { row, sealed } = plain;
  switch (kind) {
    case 'connections': {
      // The holder of the lease may be using the refresh token, and some refresh tokens can be used only once: the importing
      // installation must know that this one may already have been used.
      const isUnknown = stored['refresh_unknown'] === true || stored['is_leased'] === true;
      return { kind, integration, row: { ...row, refresh_unknown: isUnknown }, sealed };
    }
    case 'script_versions':
      return { kind, integration, event, row, sealed };
    case 'scripts':
    case 'integration_aliases':
      return { kind, integration, row, sealed };
    default:
      return { kind, row, sealed };
  }
}
