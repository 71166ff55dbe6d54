import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import type { Point } from '../../components/chart.ts';
import { t } from './texts.ts';

export type Activity = Reply<'getActivity'>['data'];
export type Attention = Activity['attention'][number];

type Kind = 'proxy' | 'refresh' | 'delivery' | 'script';

/** Returns the points of a chart, one for each bucket (a period of the activity). */
export function pointsOf({ buckets }: Activity, kind: Kind, part: 'total' | 'failed'): readonly Point[] {
  return buckets.map((bucket) => ({ at: bucket.at, value: bucket[kind][part] }));
}

export function sumOf(points: readonly Point[]): number {
  return points.reduce((sum, { value }) => sum + value, 0);
}

/** Describes a problem, its cause, and the page where it can be fixed. */
export interface Fix {
  readonly title: string;
  readonly hint: string;
  readonly fix: string;
  readonly href: string;
  /** The status of the webhooks that the problem concerns; absent when it concerns none. */
  readonly messages?: 'failed' | 'paused' | 'pending';
}

const TARGETS: Readonly<Record<string, 'target_primary' | 'target_secondary'>> = {
  primary: 'target_primary',
  secondary: 'target_secondary',
};

/** Names of the texts about a failing script, by its event. */
const SCRIPTS: Readonly<Record<string, 'script_creation' | 'script_deletion' | 'script_validation' | 'script_webhook'>> = {
  'post-connection-creation': 'script_creation',
  'pre-connection-deletion': 'script_deletion',
  'validate-connection': 'script_validation',
  'on-webhook': 'script_webhook',
};

/** Returns the description of a problem. Each kind has one page, where the user sees the cause, or fixes it. */
export function fixOf(environment: string, { kind, integration, count, event, target, is_paused: isPaused }: Attention): Fix {
  const [key, name] = [integration?.unique_key ?? '', integration?.display_name ?? ''];
  const filtered = (page: string, query: Readonly<Record<string, string>>) =>
    `${pathOf(['e', environment, page])}?${new URLSearchParams(query)}`;
  const failures = (query: Readonly<Record<string, string>>) => filtered('logs', { status: 'failure', ...query });
  switch (kind) {
    case 'reconnect': {
      const href = filtered('connections', { integration: key, state: 'needs_reauth' });
      return { title: t.count('reconnect', count ?? 0, { name }), hint: t('reconnect_hint'), fix: t('reconnect_fix'), href };
    }
    case 'webhook_target': {
      const [title, hint] = isPaused ? (['paused', 'paused_hint'] as const) : (['failing', 'failing_hint'] as const);
      const href = pathOf(['e', environment, 'settings', 'webhooks']);
      return {
        title: t(title, { target: t(TARGETS[target ?? ''] ?? 'target_primary') }),
        hint: t(hint),
        fix: t('webhook_fix'),
        href,
        messages: isPaused ? 'paused' : 'pending',
      };
    }
    case 'webhook_messages': {
      const href = pathOf(['e', environment, 'settings', 'webhooks']);
      const title = t.count('messages', count ?? 0);
      return { title, hint: t('messages_hint'), fix: t('webhook_fix'), href, messages: 'failed' };
    }
    case 'script': {
      const href = failures({ type: 'script', integration: key });
      const title = t(SCRIPTS[event ?? ''] ?? 'script_other', { name });
      return { title, hint: t('script_hint'), fix: t('script_fix'), href };
    }
    case 'client': {
      const href = pathOf(['e', environment, 'integrations', key, 'settings']);
      return { title: t('client', { name }), hint: t('client_hint'), fix: t('client_fix'), href };
    }
  }
}
