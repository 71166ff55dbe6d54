import { useMay } from '../../app/context.ts';
import { Badge } from '../../components/badge.tsx';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Elapsed, RelativeTime } from '../../components/relative-time.tsx';
import { useResendAll } from '../webhooks/resend.ts';
import type { Attention } from './activity.ts';
import { type Problem, problemOf } from './problem.ts';
import { t } from './texts.ts';

interface NeedsAttentionProps {
  readonly environment: string;
  readonly items: readonly Attention[];
  readonly checkedAt: Date | undefined;
}

/** What somebody has to fix, the most urgent first; what was checked if there is nothing. */
export function NeedsAttention({ environment, items, checkedAt }: NeedsAttentionProps) {
  return (
    <section class="card attention">
      <div class="card-head">
        <h2>{t('attention')}</h2>
        {checkedAt && (
          <span class="small soft">
            {t('checked')} <RelativeTime at={checkedAt.toISOString()} isPrecise />
          </span>
        )}
      </div>
      {items.length === 0 ? (
        <div class="body well">
          <Icon name="tick" />
          <div>
            <p class="strong">{t('fine')}</p>
            <p class="small soft">{t('fine_hint')}</p>
          </div>
        </div>
      ) : (
        <ul>
          {items.map((item) => {
            const problem = problemOf(environment, item);
            return <Row key={problem.title} {...problem} />;
          })}
        </ul>
      )}
    </section>
  );
}

function Row({ title, hint, when, fix, isResendable, isEarly }: Problem) {
  return (
    <li class={isEarly ? 'early' : undefined}>
      <Icon name="warn" />
      <div class="what">
        <p class="strong">{title}</p>
        <p class="small soft">{hint}</p>
      </div>
      {when && (
        <Badge tone={isEarly ? 'warn' : 'bad'}>
          {when.words} {when.isEnd ? <RelativeTime at={when.at} /> : <Elapsed since={when.at} />}
        </Badge>
      )}
      <div class="actions end">
        {isResendable && <ResendAll title={title} />}
        {fix && (
          <a class="btn" href={fix.href} aria-label={`${fix.words}: ${title}`}>
            {fix.words}
          </a>
        )}
      </div>
    </li>
  );
}

function ResendAll({ title }: Pick<Problem, 'title'>) {
  const { run, isRunning, error } = useResendAll({ status: 'failed' });
  if (!useMay('developer')) return null;
  return (
    <>
      <button
        type="button"
        class="btn"
        aria-label={`${t('resend_all')}: ${title}`}
        disabled={isRunning}
        onClick={() => void run()}
      >
        {t('resend_all')}
      </button>
      {error && <Failure error={error} />}
    </>
  );
}
