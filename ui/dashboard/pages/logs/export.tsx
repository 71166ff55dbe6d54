import { useEnvironment } from '../../app/context.ts';
import type { CsvColumns } from '../../components/csv.ts';
import { ExportCsv } from '../../components/export-csv.tsx';
import { actorOf } from '../../components/history/actors.ts';
import type { LogEntry } from './log-entry.ts';
import { t } from './texts.ts';

/** Maximum number of entries in a file, which is that of one request. */
const MAX = 1_000;

const COLUMNS: CsvColumns<LogEntry> = {
  id: ({ id }) => id,
  created_at: ({ created_at: at }) => at,
  type: ({ type }) => type,
  operation: ({ operation }) => operation,
  status: ({ status }) => status,
  integration: ({ provider_config_key: key }) => key,
  connection_id: ({ connection_id: id }) => id,
  summary: ({ summary }) => summary,
  http_status: ({ http_status: status }) => status,
  error_code: ({ error_code: code }) => code,
  actor: (entry) => actorOf(entry),
  duration_ms: ({ duration_ms: ms }) => ms,
};

/** A button that saves the latest entries that the filters select as a file. @param path the path of the list, with its filters */
export function Export({ path }: { readonly path: string }) {
  const { name } = useEnvironment();
  return (
    <ExportCsv<LogEntry>
      path={path}
      pageSize={MAX}
      max={MAX}
      file={`logs-${name}`}
      columns={COLUMNS}
      said={(count, isAll) => (isAll ? t.count('exported', count) : t('exported_latest', { count }))}
    />
  );
}
