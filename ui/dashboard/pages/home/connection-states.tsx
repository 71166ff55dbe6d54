import { useEnvironment } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { Card } from '../../components/card.tsx';
import { bounded, MOST_COUNTED } from '../../components/figure.ts';
import { STATE_TONES, STATES } from '../../components/tone.ts';
import { percentOf } from './activity.ts';
import { t } from './texts.ts';

export type Counts = Reply<'countConnections'>['data'];

/** The connections by state; each state leads to its connections. Their shares are not known of more than are counted. */
export function ConnectionStates({ counts }: { readonly counts: Counts }) {
  const { name } = useEnvironment();
  const list = pathOf(['e', name, 'connections']);
  const isComplete = counts.total < MOST_COUNTED;
  return (
    <Card title={t('connections')} aside={<span class="num">{bounded(counts.total)}</span>}>
      {isComplete && (
        <div class="share" aria-hidden="true">
          {STATES.map(
            (state) => counts[state] > 0 && <i key={state} class={STATE_TONES[state]} style={{ flexGrow: counts[state] }} />,
          )}
        </div>
      )}
      <ul class="legend">
        {STATES.map((state) => (
          <li key={state}>
            <a href={`${list}?state=${state}`}>
              <span class={`dot ${STATE_TONES[state]}`} aria-hidden="true" />
              {t(`state_${state}`)}
              <span class="num">{bounded(counts[state])}</span>
              {isComplete && <span class="num soft">{percentOf(counts[state], counts.total)} %</span>}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
