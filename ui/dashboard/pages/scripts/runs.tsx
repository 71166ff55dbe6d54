import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useEnvironment } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { durationText } from '../../core/times.ts';
import { useResource } from '../../hooks/use-resource.ts';
import type { One, Reply } from '../../wire.ts';
import { t } from './texts.ts';

type Run = Reply<'listScriptRuns'>['data'][number];

const SHOWN = 20;
const HEADS = ['connection', 'status', 'started', 'duration'] as const;

interface RunsProps {
  readonly path: string;
  readonly integration: string;
  readonly event: string;
}

/** The latest; what they did is in the logs. */
export function Runs({ path, integration, event }: RunsProps) {
  const { name } = useEnvironment();
  const runs = useResource<One<readonly Run[]>>(`${path}/runs`);
  const logsOf = (query: Record<string, string>) => `${pathOf(['e', name, 'logs'])}?${new URLSearchParams(query)}`;
  const logs = logsOf({ type: 'script', operation: event, integration });
  const caused = logsOf({ actor: 'script', actor_id: `${integration}/${event}` });
  const shown = runs.value?.data.slice(0, SHOWN) ?? [];
  const aside = (
    <span class="line-up">
      <a href={caused}>{t('caused')}</a>
      <a href={logs}>{t('logs')}</a>
    </span>
  );
  return (
    <Card title={t('runs')} aside={aside} isFlush>
      {runs.error && <Failure error={runs.error} onRetry={runs.reload} />}
      {runs.value !== undefined && shown.length === 0 && <p class="body">{t('no_runs')}</p>}
      {shown.length > 0 && (
        <table>
          <caption class="sr">{t('runs')}</caption>
          <thead>
            <tr>
              {HEADS.map((head) => (
                <th key={head} scope="col">
                  {t(head)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((run) => (
              <RunRow key={run.id} run={run} logs={logs} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function RunRow({ run, logs }: { readonly run: Run; readonly logs: string }) {
  const { connection_id: id, status, started_at: at, duration_ms: duration } = run;
  return (
    <tr>
      <td class="first">
        {id === null ? t('new_connection') : <a href={`${logs}&connection_id=${encodeURIComponent(id)}`}>{id}</a>}
      </td>
      <td>
        <Badge tone={status === 'done' ? 'ok' : 'bad'}>{t(`run_${status}`)}</Badge>
      </td>
      <td>
        <RelativeTime at={at} />
      </td>
      <td class="num">{durationText(duration)}</td>
    </tr>
  );
}
