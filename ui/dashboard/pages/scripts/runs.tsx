import { useState } from 'preact/hooks';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { FilterBar, SelectFilter } from '../../components/filter-bar.tsx';
import { useEnvironment } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { useFilters } from '../../hooks/use-place.ts';
import { useResource } from '../../hooks/use-resource.ts';
import type { One } from '../../wire.ts';
import { type Run, RunRow } from './run-row.tsx';
import { t } from './texts.ts';

const SHOWN = 20;

interface RunsProps {
  readonly path: string;
  readonly integration: string;
  readonly event: string;
}

/** The latest; what they did is in the logs. */
export function Runs({ path, integration, event }: RunsProps) {
  const { name } = useEnvironment();
  const { query } = useFilters();
  const connection = query.get('connection_id') ?? '';
  const wanted = connection === '' ? '' : `?${new URLSearchParams({ connection_id: connection })}`;
  const runs = useResource<One<readonly Run[]>>(`${path}/runs${wanted}`);
  const logsOf = (filter: Record<string, string>) => `${pathOf(['e', name, 'logs'])}?${new URLSearchParams(filter)}`;
  const logs = logsOf({ type: 'script', operation: event, integration });
  const caused = logsOf({ actor: 'script', actor_id: `${integration}/${event}` });
  const aside = (
    <span class="line-up">
      <a href={caused}>{t('caused')}</a>
      <a href={logs}>{t('logs')}</a>
    </span>
  );
  return (
    <Card title={t('runs')} aside={aside} isFlush>
      {runs.error && <Failure error={runs.error} onRetry={runs.reload} />}
      {runs.value && <Shown key={connection} runs={runs.value.data} connection={connection} logs={logs} />}
    </Card>
  );
}

interface ShownProps {
  readonly runs: readonly Run[];
  /** Empty: of all connections. */
  readonly connection: string;
  readonly logs: string;
}

function Shown({ runs, connection, logs }: ShownProps) {
  const [areAll, setAll] = useState(false);
  const shown = areAll ? runs : runs.slice(0, SHOWN);
  const connections = [...new Set(runs.flatMap(({ connection_id: id }) => id ?? []))];
  return (
    <>
      {(connections.length > 1 || connection !== '') && (
        <div class="body">
          <FilterBar>
            <SelectFilter
              name="connection_id"
              label={t('connection')}
              choices={connections.map((id) => ({ value: id, label: id }))}
            />
          </FilterBar>
        </div>
      )}
      {runs.length === 0 && <p class="body">{t(connection === '' ? 'no_runs' : 'no_runs_for')}</p>}
      <ul class="rows">
        {shown.map((run) => (
          <RunRow key={run.id} run={run} logs={logs} />
        ))}
      </ul>
      {shown.length < runs.length && (
        <div class="foot">
          <button type="button" class="btn" onClick={() => setAll(true)}>
            {t('show_all', { count: runs.length })}
          </button>
        </div>
      )}
    </>
  );
}
