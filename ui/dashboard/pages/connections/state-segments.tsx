import { useEnvironment } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { useFilters } from '../../app/use-place.ts';
import { useResource } from '../../app/use-resource.ts';
import { bounded } from '../../components/figure.ts';
import { FilterChip } from '../../components/filter-bar.tsx';
import { STATE_TONES, STATES } from '../../components/tone.ts';
import { t } from './texts.ts';

type Counts = Reply<'countConnections'>['data'];

/** The states of connections that need attention, to which other pages lead. */
const UNWELL = 'degraded,needs_reauth';

/**
 * The filter by state, as a row of buttons. The numbers are those of the environment, so they are left out while other filters
 * limit the list.
 *
 * @param filters names of all filters in the URL
 */
export function StateSegments({ filters }: { readonly filters: readonly string[] }) {
  const { name } = useEnvironment();
  const { query, set, count } = useFilters();
  const counts = useResource<One<Counts>>(`api/ui/e/${encodeURIComponent(name)}/connections-count`).value?.data;
  const shown = count(filters.filter((one) => one !== 'state')) === 0 ? counts : undefined;
  const chosen = query.get('state') ?? '';
  // Links of other pages can choose several states, and an edited URL anything: it is shown, too.
  const isOther = chosen !== '' && !STATES.some((one) => one === chosen);
  return (
    <fieldset class="segments">
      <legend class="sr">{t('state')}</legend>
      <Segment state="" label={t('state_any')} count={shown?.total} />
      {STATES.map((state) => (
        <Segment key={state} state={state} label={t(`state_${state}`)} tone={STATE_TONES[state]} count={shown?.[state]} />
      ))}
      {isOther && <FilterChip label={chosen === UNWELL ? t('state_unwell') : chosen} onRemove={() => set({ state: null })} />}
    </fieldset>
  );
}

interface SegmentProps {
  /** Empty for connections in any state. */
  readonly state: string;
  readonly label: string;
  readonly tone?: string;
  readonly count: number | undefined;
}

function Segment({ state, label, tone, count }: SegmentProps) {
  const { query, set } = useFilters();
  const isChosen = (query.get('state') ?? '') === state;
  return (
    <button type="button" aria-pressed={isChosen} onClick={() => set({ state })}>
      {tone && <span class={`dot ${tone}`} aria-hidden="true" />}
      {label}
      {count !== undefined && <span class="num">{bounded(count)}</span>}
    </button>
  );
}
