import { pathOf } from '../../app/router.ts';
import { figure } from '../../components/figure.ts';
import { sentence } from '../../components/sentence.ts';
import { type Attention, percentOf } from './activity.ts';
import { t, type texts } from './texts.ts';

/** Describes a problem: what it is, why, how long it has lasted, and the page where its cause is seen or it can be fixed. */
export interface Problem {
  readonly title: string;
  readonly hint: string;
  readonly when?: { readonly words: string; readonly at: string; readonly isEnd?: boolean };
  /** Absent if no page of the dashboard helps. */
  readonly fix?: { readonly words: string; readonly href: string };
  /** True if the problem is webhooks that were given up: they can be resent. */
  readonly isResendable?: boolean;
  /** True if nothing fails because of it yet. */
  readonly isEarly?: boolean;
}

type Key = keyof typeof texts;

/** Names of the texts about a failing script, by its event. */
const SCRIPTS: Readonly<Record<string, 'script_creation' | 'script_deletion' | 'script_validation' | 'script_webhook'>> = {
  'post-connection-creation': 'script_creation',
  'pre-connection-deletion': 'script_deletion',
  'validate-connection': 'script_validation',
  'on-webhook': 'script_webhook',
};

/** Names of the texts for why users have to connect again, by the cause of the state. */
const REAUTH: Readonly<Record<string, 'reconnect_expired' | 'reconnect_client' | 'reconnect_lost'>> = {
  expired: 'reconnect_expired',
  client_changed: 'reconnect_client',
  rotation_response_lost: 'reconnect_lost',
};

const FAILURES: Readonly<
  Record<string, 'failures_proxy' | 'failures_refresh' | 'failures_delivery' | 'failures_auth' | 'failures_script'>
> = {
  proxy: 'failures_proxy',
  refresh: 'failures_refresh',
  delivery: 'failures_delivery',
  auth: 'failures_auth',
  script: 'failures_script',
};

const WORK: Readonly<Record<string, 'work_refresh' | 'work_webhook' | 'work_script'>> = {
  refresh: 'work_refresh',
  webhook: 'work_webhook',
  script: 'work_script',
};

type Describe = (item: Attention, pages: Pages) => Problem;

/** Returns the description of a problem. */
export function problemOf(environment: string, item: Attention): Problem {
  return DESCRIBED[item.kind](item, pagesOf(environment));
}

const DESCRIBED: Readonly<Record<Attention['kind'], Describe>> = {
  disk: ({ free, total }) => ({
    title: t('disk', { percent: String(Math.round((1 - (free ?? 0) / (total ?? 1)) * 100)), free: bytesText(free ?? 0) }),
    hint: t('disk_hint'),
  }),
  work: ({ event, count, since }) => ({
    title: t.waiting(WORK[event ?? ''] ?? 'work_other', count ?? 0),
    hint: t('work_hint'),
    ...lasting('waiting_for', since),
  }),
  degraded: ({ integration, count, expired, summary, log_id: log, since }, pages) => ({
    title: t.bounded('degraded', count ?? 0, { name: nameOf(integration) }),
    hint: [
      summary === null ? '' : sentence(summary),
      expired ? t.bounded('degraded_expired', expired) : t('degraded_valid'),
      t('degraded_hint'),
    ].join(' '),
    ...lasting('failing_for', since),
    fix: log === null ? pages.connections(integration, 'degraded') : pages.cause(log),
  }),
  webhook_target: ({ name, count, is_paused: isPaused, cause, since }, pages) => ({
    title: t.waiting(isPaused ? 'paused' : 'failing', count ?? 0, { host: name ?? t('no_host') }),
    hint: [isPaused && cause !== null ? sentence(cause) : '', t(isPaused ? 'paused_hint' : 'failing_hint')].join(' ').trim(),
    ...lasting(isPaused ? 'paused_for' : 'oldest', since),
    fix: isPaused ? pages.endpoints() : pages.webhooks(),
  }),
  reconnect: ({ integration, count, cause, since }, pages) => ({
    title: t.bounded('reconnect', count ?? 0, { name: nameOf(integration) }),
    hint: `${t(REAUTH[cause ?? ''] ?? 'reconnect_refused')} ${t('reconnect_hint')}`,
    ...lasting('broken_for', since),
    fix: pages.connections(integration, 'needs_reauth'),
  }),
  failures: (item, pages) => ({
    title: t(FAILURES[item.event ?? ''] ?? 'failures_other', { count: figure(item.count ?? 0), total: figure(item.total ?? 0) }),
    hint: [before(item), mostOf(item)].join(' ').trim(),
    ...lasting('within', item.since),
    fix: pages.failures({ type: item.event === 'delivery' ? 'webhook' : (item.event ?? ''), since: item.since ?? '' }),
  }),
  subscription: (item, pages) => {
    const name = nameOf(item.integration);
    const summary = item.summary === null ? '' : sentence(item.summary);
    return {
      title: t.count('registration', item.count ?? 0, { name }),
      hint: `${summary} ${t('registration_hint', { name })}`.trim(),
      ...inLog(item, pages),
    };
  },
  refused: (item, pages) => ({
    title: t.count('refused', item.count ?? 0, { name: nameOf(item.integration) }),
    hint: item.summary === null ? '' : sentence(item.summary),
    ...inLog(item, pages),
  }),
  webhook_messages: ({ count, since }, pages) => ({
    title: t.waiting('messages', count ?? 0),
    hint: t('messages_hint'),
    ...lasting('oldest', since),
    fix: pages.webhooks(),
    isResendable: true,
  }),
  script: ({ integration, event, since }, pages) => ({
    title: t(SCRIPTS[event ?? ''] ?? 'script_other', { name: nameOf(integration) }),
    hint: t('script_hint'),
    ...lasting('failing_for', since),
    fix: pages.failures({ type: 'script', integration: integration?.unique_key ?? '' }),
  }),
  api_key: ({ name, until, is_account_key: isOfAccount }, pages) => {
    const isOver = until !== null && new Date(until) <= new Date();
    return {
      title: t(isOver ? 'key_over' : 'key_ends', { name: name ?? '' }),
      hint: t(isOver ? 'key_over_hint' : 'key_ends_hint'),
      isEarly: !isOver,
      ...(until !== null && { when: { words: t(isOver ? 'ended' : 'ends'), at: until, isEnd: true } }),
      fix: pages.keys(isOfAccount),
    };
  },
  client: ({ integration }, pages) => ({
    title: t('client', { name: nameOf(integration) }),
    hint: t('client_hint'),
    isEarly: true,
    fix: pages.integration(integration),
  }),
};

function lasting(
  words: Key & ('waiting_for' | 'failing_for' | 'paused_for' | 'broken_for' | 'within' | 'oldest'),
  since: string | null,
) {
  return since === null ? {} : { when: { words: t(words), at: since } };
}

/** Returns when a problem was seen that only the log knows of, and where its cause is. */
function inLog({ since, log_id: log }: Attention, pages: Pages): Pick<Problem, 'when' | 'fix'> {
  return { ...lasting('within', since), ...(log !== null && { fix: pages.cause(log) }) };
}

function nameOf(integration: Attention['integration']): string {
  return integration?.display_name ?? t('no_integration');
}

function before({ share_before: share }: Attention): string {
  if (share === null) return t('before_none');
  return t('before', { share: `${percentOf(share, 1)} %` });
}

function mostOf({ integration, cause }: Attention): string {
  const what = [integration?.display_name, cause].filter(Boolean).join(', ');
  return what === '' ? '' : t('most', { what });
}

interface Pages {
  connections(integration: Attention['integration'], state: string): Problem['fix'] & object;
  cause(log: string): Problem['fix'] & object;
  webhooks(): Problem['fix'] & object;
  endpoints(): Problem['fix'] & object;
  failures(query: Readonly<Record<string, string>>): Problem['fix'] & object;
  keys(isOfAccount: boolean): Problem['fix'] & object;
  integration(integration: Attention['integration']): Problem['fix'] & object;
}

/** Returns the pages of an environment to which problems lead. */
function pagesOf(environment: string): Pages {
  const below = (...parts: readonly string[]) => pathOf(['e', environment, ...parts]);
  const filtered = (page: string, query: Readonly<Record<string, string>>) => `${below(page)}?${new URLSearchParams(query)}`;
  return {
    connections: (integration, state) => ({
      words: t('see_connections'),
      href: filtered('connections', { integration: integration?.unique_key ?? '', state }),
    }),
    cause: (log) => ({ words: t('see_cause'), href: below('logs', log) }),
    webhooks: () => ({ words: t('see_webhooks'), href: below('webhooks', 'sent') }),
    endpoints: () => ({ words: t('see_endpoints'), href: below('webhooks', 'endpoints') }),
    failures: (query) => ({ words: t('see_log'), href: filtered('logs', { status: 'failure', ...query }) }),
    keys: (isOfAccount) => ({ words: t('see_keys'), href: isOfAccount ? 'account/keys' : below('settings', 'keys') }),
    integration: (integration) => ({
      words: t('client_fix'),
      href: below('integrations', integration?.unique_key ?? '', 'settings'),
    }),
  };
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes: "4.1 GB". */
function bytesText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value.toFixed(value < 10 && power > 0 ? 1 : 0)} ${UNITS[power]}`;
}
