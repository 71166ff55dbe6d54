/** Characters with which spreadsheets take a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

type Cell = string | number | null;

/** The columns of a file: the head of each, and a function that returns its cell in a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** Writes rows as CSV (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Writes the heads of the columns, then a line for each row, as CSV. */
export function csvTable<Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string {
  return csvOf([Object.keys(columns), ...rows.map((row) => Object.values(columns).map((read) => read(row)))]);
}

/** Returns a text that begins with an apostrophe if a spreadsheet would take it for a formula. */
export function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function cell(value: Cell): string {
  const text = typeof value === 'string' ? harmless(value) : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
