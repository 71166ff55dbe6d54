import type { Reply } from '../../app/replies.ts';
import { t } from './texts.ts';

type Check = Reply<'checkCallbackUrl'>['data'];

/** A requirement of a callback URL, and whether it is met. */
export interface Finding {
  readonly isRight: boolean;
  readonly text: string;
}

const PERMANENT = 308;

/**
 * Returns the findings of a check of a custom callback URL's redirect, in the order of its steps. After a step that fails, the
 * later ones may be unknown.
 */
export function findingsOf({ verdict, status, location }: Pick<Check, 'verdict' | 'status' | 'location'>): readonly Finding[] {
  if (verdict === 'own') return [right(t('redirect_own'))];
  if (verdict === 'not_allowed') return [wrong(t('redirect_not_allowed'))];
  if (verdict === 'not_reachable') return [wrong(t('redirect_not_reachable'))];
  const reached = right(t('redirect_reached'));
  const code = String(status ?? '–');
  if (verdict === 'no_redirect') return [reached, wrong(t('redirect_none', { status: code }))];
  const redirects = status === PERMANENT ? right(t('redirect_status')) : wrong(t('redirect_wrong_status', { status: code }));
  if (verdict === 'leads_elsewhere') return [reached, redirects, wrong(t('redirect_elsewhere', { location: location ?? '–' }))];
  const query = verdict === 'query_dropped' ? wrong(t('redirect_query_dropped')) : right(t('redirect_query_kept'));
  return [reached, redirects, right(t('redirect_leads_here')), query];
}

function right(text: string): Finding {
  return { isRight: true, text };
}

function wrong(text: string): Finding {
  return { isRight: false, text };
}
