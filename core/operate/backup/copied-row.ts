import { parserOf } from '../../db/client-config.ts';
import type { BackupTable } from './format.ts';

const NULL = '\\N';
/** The escapes of the text format of COPY, as far as Postgres writes them (Postgres documentation, "COPY"). */
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Parses a row in the text format of COPY. @returns the values as the driver would return them */
export function copiedRow(line: string, columns: BackupTable['columns']): Readonly<Record<string, unknown>> {
  const values = line.split('\t');
  return Object.fromEntries(
    columns.map(([name, type], index) => {
      const value = values[index] ?? NULL;
      return [name, value === NULL ? null : parserOf(type)(unescaped(value))];
    }),
  );
}

function unescaped(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}
