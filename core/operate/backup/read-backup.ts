import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { migrationNames } from '../../db/migrate.ts';
import { errorCode } from '../../kit/error-code.ts';
import { linesOf } from '../../kit/lines.ts';
import {
  type BackupEnd,
  BackupFault,
  type BackupHeader,
  type BackupTable,
  END_OF_ROWS,
  incomplete,
  type RowCounts,
  readHeader,
  readSection,
} from './format.ts';

const TERMINATOR = Buffer.from(END_OF_ROWS);

/** Reads the header of a backup. @throws BackupFault */
export async function headerOf(path: string): Promise<BackupHeader> {
  await using lines = lineReader(path);
  return readHeader(await lines.next());
}

/** Ensures that this version can create the schema of a backup. @param directory see `migrate` */
export async function requireKnownSchema({ migrations, release }: BackupHeader, directory?: string): Promise<void> {
  const known = await migrationNames(directory);
  if (migrations.every((name) => known.includes(name))) return;
  throw new BackupFault(`the backup was made by version ${release} of svc: restore it with that version or a newer one`);
}

/** Called with each table. It must read all rows, each of which is a line without its newline. */
type OnTable = (table: BackupTable, rows: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Reads a backup to its end.
 *
 * @returns its last line, which agrees with what was read
 * @throws BackupFault when the file is not a backup, or is incomplete; tables may have been read before that
 */
export async function readBackup(path: string, onTable: OnTable): Promise<BackupEnd> {
  await using lines = lineReader(path);
  readHeader(await lines.next());
  const counts = new Map<string, number>();
  for (;;) {
    const section = readSection(await lines.next());
    if ('rows' in section) {
      if (!agree(section.rows, counts) || (await lines.next()) !== undefined) throw incomplete();
      return section;
    }
    await onTable(
      section,
      rowsOf(lines, (count) => counts.set(section.table, count)),
    );
  }
}

function agree(stated: RowCounts, counted: ReadonlyMap<string, number>): boolean {
  const tables = Object.entries(stated);
  return tables.length === counted.size && tables.every(([table, rows]) => counted.get(table) === rows);
}

interface LineReader extends AsyncDisposable {
  /** Returns the next line, without its newline; undefined at the end of the file. */
  next(): Promise<Buffer | undefined>;
}

function lineReader(path: string): LineReader {
  const file = createReadStream(path);
  const unzipped = file.pipe(createGunzip());
  file.once('error', (error) => unzipped.destroy(error));
  const lines = linesOf(unzipped);
  return {
    async next() {
      try {
        const { done, value } = await lines.next();
        return done ? undefined : value;
      } catch (error) {
        throw explained(error);
      }
    },
    async [Symbol.asyncDispose]() {
      file.destroy();
      unzipped.destroy();
    },
  };
}

/** Yields the rows of a table. @param onEnd called with their number */
async function* rowsOf(lines: LineReader, onEnd: (count: number) => void): AsyncGenerator<Buffer> {
  for (let count = 0; ; count += 1) {
    const line = await lines.next();
    if (line === undefined) throw incomplete();
    if (line.equals(TERMINATOR)) return onEnd(count);
    yield line;
  }
}

/** Returns the error for a file that cannot be unzipped. */
function explained(error: unknown): unknown {
  const code = errorCode(error);
  if (code === 'Z_DATA_ERROR' && error instanceof Error && error.message === 'incorrect header check')
    return new BackupFault('this is not a backup of svc', { cause: error });
  return code?.startsWith('Z_') ? incomplete(error) : error;
}
