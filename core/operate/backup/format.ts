import * as z from 'zod';
import { parseJson } from '../../kit/exact-json.ts';

const FORMAT = 'svc backup';
/** Incremented when releases that read the former version could not read this one. */
const FORMAT_VERSION = 1;

/** The line after the rows of a table: the end of data in the text format of COPY (Postgres documentation, "COPY"). */
export const END_OF_ROWS = '\\.';

const counts = z.record(z.string(), z.int().nonnegative());

const header = z.object({
  format: z.literal(FORMAT),
  version: z.int(),
  made_at: z.string(),
  /** The version of the service. */
  release: z.string(),
  migrations: z.array(z.string()).readonly(),
  /** The bounds of the partitions of the operation log. */
  partitions: z.array(z.tuple([z.coerce.date(), z.coerce.date()])),
  /** The encryption keys, encrypted with a passphrase (age-encryption.org/v1), in Base64; null: the backup does not contain them. */
  keys: z.string().nullable(),
});

const table = z.object({
  table: z.string(),
  /** Names and type IDs, in the order of the values of a row. */
  columns: z.array(z.tuple([z.string(), z.int()])),
});

const end = z.object({
  /** The last value of each sequence, by its name. */
  sequences: z.record(z.string(), z.int()),
  rows: counts,
});

export type BackupHeader = z.infer<typeof header>;
export type BackupTable = z.infer<typeof table>;
export type BackupEnd = z.infer<typeof end>;
export type RowCounts = z.infer<typeof counts>;

/** Thrown when a file is not a backup, or cannot be restored here. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault';
}

export function headerLine(content: Omit<BackupHeader, 'format' | 'version'>): string {
  return `${JSON.stringify({ format: FORMAT, version: FORMAT_VERSION, ...content })}\n`;
}

/** @throws BackupFault if the line is no header of a backup, or of one with another version of the format */
export function readHeader(line: Buffer | undefined): BackupHeader {
  const { success, data } = header.safeParse(parsed(line));
  if (!success) throw new BackupFault('this is not a backup of svc');
  if (data.version !== FORMAT_VERSION)
    throw new BackupFault(`the backup has version ${data.version} of the format; this release reads version ${FORMAT_VERSION}`);
  return data;
}

/** Reads a line between the rows of two tables, or after those of the last one. @throws BackupFault */
export function readSection(line: Buffer | undefined): BackupTable | BackupEnd {
  const { success, data } = z.union([table, end]).safeParse(parsed(line));
  if (!success) throw incomplete();
  return data;
}

export function incomplete(cause?: unknown): BackupFault {
  return new BackupFault('the backup is incomplete, or was changed after it was written', { cause });
}

function parsed(line: Buffer | undefined): unknown {
  try {
    return line === undefined ? undefined : parseJson(line.toString('utf8'));
  } catch {
    return undefined;
  }
}
