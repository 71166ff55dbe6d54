import { useEnvironment } from '../../app/context.ts';
import type { Many, Reply } from '../../app/replies.ts';
import { useFilters } from '../../app/use-place.ts';
import { useResource } from '../../app/use-resource.ts';
import { logsPath } from '../../components/logs-path.ts';
import { StackedBars } from '../../components/stacked-bars.tsx';
import { t } from './texts.ts';

type Hour = Reply<'getLogCounts'>['data'][number];

const HOUR_MS = 3_600_000;
/** The filters of the list by which the counts can be limited, too, or that do not limit the list. */
const COUNTABLE = ['type', 'utc', 'open', 'fold'];

/** The operations of the last 24 hours by the hour; not shown for a list that other filters limit, since they are not counted by those. */
export function Histogram() {
  const { name } = useEnvironment();
  const { query } = useFilters();
  const isCounted = [...query.keys()].every((key) => COUNTABLE.includes(key));
  const type = query.get('type');
  const path = `api/ui/e/${encodeURIComponent(name)}/log-counts${type === null ? '' : `?type=${type}`}`;
  const hours = useResource<Many<Hour>>(isCounted ? path : null).value?.data;
  if (!isCounted || hours === undefined) return null;
  const bars = hours.map((hour) => {
    const until = new Date(new Date(hour.at).getTime() + HOUR_MS).toISOString();
    return { ...hour, href: logsPath(name, { ...(type !== null && { type }), since: hour.at, until }) };
  });
  const words = { time: t('time'), succeeded: t('succeeded'), failed: t('failed') };
  return (
    <div class="card histogram">
      <div class="body">
        <StackedBars label={t('histogram')} words={words} bars={bars} />
      </div>
    </div>
  );
}
