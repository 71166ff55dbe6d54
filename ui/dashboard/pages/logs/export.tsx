import { useApp, useEnvironment } from '../../app/context.ts';
import type { Many } from '../../app/replies.ts';
import { csvOf } from '../../components/csv.ts';
import { Failure } from '../../components/failure.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useAction } from '../../components/use-action.ts';
import { actorOf, type LogEntry } from './log-entry.ts';
import { t } from './texts.ts';

/** Maximum number of entries in a file, which is that of one request. */
const MAX = 1_000;

const COLUMNS = {
  id: ({ id }: LogEntry) => id,
  created_at: ({ created_at: at }: LogEntry) => at,
  type: ({ type }: LogEntry) => type,
  operation: ({ operation }: LogEntry) => operation,
  status: ({ status }: LogEntry) => status,
  integration: ({ provider_config_key: key }: LogEntry) => key,
  connection_id: ({ connection_id: id }: LogEntry) => id,
  summary: ({ summary }: LogEntry) => summary,
  http_status: ({ http_status: status }: LogEntry) => status,
  error_code: ({ error_code: code }: LogEntry) => code,
  actor: (entry: LogEntry) => actorOf(entry),
  duration_ms: ({ duration_ms: ms }: LogEntry) => ms,
} as const;

/** A button that saves the latest entries that the filters select as a file. @param path the path of the list, with its filters */
export function Export({ path }: { readonly path: string }) {
  const { client, toast } = useApp();
  const { name } = useEnvironment();
  const { run, isRunning, error } = useAction(async () => {
    const { data, next_cursor: next } = await client.read<Many<LogEntry>>(`${path}&limit=${MAX}`);
    const rows = data.map((entry) => Object.values(COLUMNS).map((read) => read(entry)));
    saveFile(`logs-${name}.csv`, csvOf([Object.keys(COLUMNS), ...rows]));
    toast(next === null ? t.count('exported', data.length) : t('exported_latest', { count: data.length }));
  });
  return (
    <>
      {error && <Failure error={error} />}
      <button type="button" class="btn" disabled={isRunning} onClick={() => void run()}>
        {t('export')}
      </button>
    </>
  );
}
