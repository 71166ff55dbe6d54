import type { Reply } from '../../app/replies.ts';
import { Badge } from '../../components/badge.tsx';
import { t } from './texts.ts';

type Outcome = Pick<Reply<'testScript'>['data'], 'status' | 'cause'>;

/** A badge with the outcome of a run. A refused connection is no failure: the script has done its task. */
export function OutcomeBadge({ status, cause }: Outcome) {
  if (cause === 'refused') return <Badge tone="idle">{t('run_refused')}</Badge>;
  return <Badge tone={status === 'done' ? 'ok' : 'bad'}>{t(`run_${status}`)}</Badge>;
}
