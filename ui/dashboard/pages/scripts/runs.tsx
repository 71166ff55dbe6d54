import { useState } from 'preact/hooks';
import { useEnvironment, useMe } from '../../app/context.ts';
import type { One } from '../../app/replies.ts';
import { useFilters } from '../../app/use-place.ts';
import { useResource } from '../../app/use-resource.ts';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { logsPath } from '../../components/logs-path.ts';
import { RunConnection } from './run-connection.tsx';
import { type Run, RunRow } from './run-row.tsx';
import { t } from './texts.ts';

const SHOWN = 20;
/** The service returns at most this many; there may be more. */
const MAX_RUNS = 100;

interface RunsProps {
  readonly path: string;
  readonly integration: string;
  readonly event: string;
}

/** The latest runs of a script, for all connections or for one. The operation log shows what they did. */
export function Runs({ path, integration, event }: RunsProps) {
  const { name } = useEnvironment();
  const { query } = useFilters();
  const connection = query.get('connection_id') ?? '';
  const only = connection === '' ? {} : { connection_id: connection };
  const runs = useResource<One<readonly Run[]>>(`${path}/runs${connection === '' ? '' : `?${new URLSearchParams(only)}`}`);
  const logsOf = (filter: Record<string, string>) => logsPath(name, { ...filter, ...only });
  const aside = (
    <span class="line-up">
      <a href={logsOf({ actor: 'script', actor_id: `${integration}/${event}` })}>{t('caused')}</a>
      <a href={logsOf({ type: 'script', operation: event, integration })}>{t('logs')}</a>
    </span>
  );
  const hasConnections = connection !== '' || runs.value?.data.some((run) => run.connection_id !== null);
  return (
    <Card title={t('runs')} aside={aside} isFlush>
      {hasConnections && (
        <div class="body">
          <FilterBar>
            <RunConnection integration={integration} />
          </FilterBar>
        </div>
      )}
      {runs.error && <Failure error={runs.error} onRetry={runs.reload} />}
      {runs.value && <Shown key={connection} runs={runs.value.data} connection={connection} />}
    </Card>
  );
}

interface ShownProps {
  readonly runs: readonly Run[];
  /** ID of the connection; empty for the runs for all connections. */
  readonly connection: string;
}

function Shown({ runs, connection }: ShownProps) {
  const { set } = useFilters();
  const { log_retention_days: days } = useMe();
  const [areAll, setAll] = useState(false);
  const shown = areAll ? runs : runs.slice(0, SHOWN);
  const choose = connection === '' ? (id: string) => set({ connection_id: id }) : undefined;
  return (
    <>
      {runs.length === 0 && <p class="body">{t.count(connection === '' ? 'no_runs' : 'no_runs_for', days)}</p>}
      <ul class="rows">
        {shown.map((run) => (
          <RunRow key={run.id} run={run} onChoose={choose} />
        ))}
      </ul>
      {shown.length < runs.length && (
        <div class="foot">
          <button type="button" class="btn" onClick={() => setAll(true)}>
            {t(runs.length < MAX_RUNS ? 'show_all' : 'show_latest', { count: runs.length })}
          </button>
        </div>
      )}
    </>
  );
}
