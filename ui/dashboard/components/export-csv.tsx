import { useState } from 'preact/hooks';
import { useApp } from '../app/context.ts';
import type { Many } from '../app/replies.ts';
import { t } from '../app/texts/en.ts';
import { type CsvColumns, csvTable } from './csv.ts';
import { Failure } from './failure.tsx';
import { figure } from './figure.ts';
import { Icon } from './icon.tsx';
import { saveFile } from './save-file.ts';
import { useAction } from './use-action.ts';
import { useLeaving } from './use-leaving.ts';

interface ExportCsvProps<Row> {
  /** The path of the list, with its filters. */
  readonly path: string;
  /** Number of rows in a request. */
  readonly pageSize: number;
  /** Maximum number of rows in the file. */
  readonly max: number;
  /** Name of the file, without `.csv`. */
  readonly file: string;
  readonly columns: CsvColumns<Row>;
  /** Runs before the first request, for instance to record the export; if it fails, nothing is exported. */
  readonly before?: () => Promise<void>;
  /** Returns a text that says how many rows are in the file. @param isAll false if there are more than the maximum */
  readonly said: (count: number, isAll: boolean) => string;
}

/** A button that saves as a file what the filters of a list select, page after page. */
export function ExportCsv<Row>({ path, pageSize, max, file, columns, before, said }: ExportCsvProps<Row>) {
  const { client, toast } = useApp();
  const leaving = useLeaving();
  const [count, setCount] = useState(0);
  const { run, isRunning, error } = useAction(async () => {
    await before?.();
    const rows: Row[] = [];
    let cursor: string | null = '';
    while (cursor !== null && rows.length < max) {
      setCount(rows.length);
      const page: Many<Row> = await client.read(pathOfPage(path, pageSize, cursor));
      // Who has left the page no longer expects a file.
      if (leaving.aborted) return;
      rows.push(...page.data);
      cursor = page.next_cursor;
    }
    saveFile(`${file}.csv`, csvTable(columns, rows.slice(0, max)));
    toast(said(Math.min(rows.length, max), cursor === null && rows.length <= max));
  });
  return (
    <>
      <button type="button" class="btn quiet" disabled={isRunning} onClick={() => void run()}>
        <Icon name="save" />
        {isRunning && count > 0 ? t('exporting', { count: figure(count) }) : t('export_csv')}
      </button>
      {error && <Failure error={error} />}
    </>
  );
}

function pathOfPage(path: string, limit: number, cursor: string): string {
  const position = new URLSearchParams({ limit: String(limit), ...(cursor !== '' && { cursor }) });
  return `${path}${path.includes('?') ? '&' : '?'}${position}`;
}
