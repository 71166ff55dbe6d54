import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { Badge } from '../../components/badge.tsx';
import { RelativeTime, useNow } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-head.tsx';
import { durationText } from '../../components/times.ts';
import type { Tone } from '../../components/tone.ts';
import { t, type texts } from './texts.ts';

export type Delivery = Reply<'listDeliveries'>['data'][number];

export const TONES = { pending: 'idle', delivered: 'ok', failed: 'bad', paused: 'warn' } as const satisfies Readonly<
  Record<Delivery['status'], Tone>
>;
export const STATUSES = Object.keys(TONES) as readonly Delivery['status'][];

/** How late an attempt may be before it is shown as overdue. */
const OVERDUE_MS = 30_000;

/** Names of the texts for what an `auth` webhook reports, by its operation: when that has succeeded, and when it has failed. */
const EVENTS: Readonly<Record<string, readonly [keyof typeof texts, keyof typeof texts]>> = {
  creation: ['event_creation', 'event_creation_failed'],
  override: ['event_override', 'event_override_failed'],
  refresh: ['event_refresh', 'event_refresh_failed'],
  deletion: ['event_deletion', 'event_deletion_failed'],
};

/** Returns what a webhook reports; undefined when that is not known, as of those that an earlier release has stored. */
export function eventOf({ type, operation, success }: Pick<Delivery, 'type' | 'operation' | 'success'>): string | undefined {
  if (type === 'test') return t('event_test');
  if (type !== 'auth') return operation === null ? t('event_forward') : t('event_forward_of', { event: operation });
  const [succeeded, failed] = EVENTS[operation ?? ''] ?? [];
  if (success === null || succeeded === undefined || failed === undefined) return undefined;
  return t(success ? succeeded : failed);
}

/** Returns the columns of the list of webhooks. @param environment name of the environment */
export function columnsFor(environment: string): readonly Column<Delivery>[] {
  return [
    { head: t('message'), cell: (row) => <Event {...row} /> },
    { head: t('message_status'), cell: (row) => <Status {...row} />, phone: 'second' },
    { head: t('attempts'), cell: ({ attempts }) => attempts, isNumber: true, isWide: true },
    { head: t('duration'), cell: ({ duration_ms: ms }) => (ms === null ? '–' : durationText(ms)), isNumber: true, isWide: true },
    {
      head: t('next_attempt'),
      cell: ({ next_attempt_at: at }) =>
        at === null ? (
          '–'
        ) : (
          <div class="lines">
            <NextAttempt at={at} />
          </div>
        ),
      isNumber: true,
      isWide: true,
    },
    { head: t('connection'), cell: (row) => <Connection environment={environment} {...row} />, isWide: true },
    { head: t('created'), cell: ({ created_at: at }) => <RelativeTime at={at} />, isNumber: true, phone: 'end' },
  ];
}

function Event(message: Pick<Delivery, 'type' | 'operation' | 'success'>) {
  const name = [message.type, message.operation].filter((word) => word !== null).join(' ');
  return (
    <span class="two" title={name}>
      <span>{eventOf(message) ?? name}</span>
      <code class="small faint wide">{name}</code>
    </span>
  );
}

/** When the next attempt is due. One that is overdue waits for its turn, or for an instance that sends webhooks. */
export function NextAttempt({ at }: { readonly at: string }) {
  const isOverdue = useNow(OVERDUE_MS).getTime() - new Date(at).getTime() > OVERDUE_MS;
  if (!isOverdue) return <RelativeTime at={at} />;
  return (
    <>
      {t('due')} <RelativeTime at={at} />, {t('still_waiting')}
    </>
  );
}

/** Returns why a webhook was given up, by the error of the last entry among its attempts; undefined if that was an attempt. */
export function givenUpText(error: string | null): string | undefined {
  if (error === 'queue_full') return t('given_up_queue_full');
  return error === 'expired' ? t('given_up_expired') : undefined;
}

/** The status of a webhook, with the last response status of the application, or the reason why there was no response. */
function Status({ status, response_status: response, error }: Delivery) {
  return (
    <span class="state">
      <Badge tone={TONES[status]}>{t(`status_${status}`)}</Badge>
      {response ?? givenUpText(error) ?? error}
    </span>
  );
}

function Connection({
  environment,
  connection_id: id,
  connection_name: name,
  integration,
}: Pick<Delivery, 'connection_id' | 'connection_name' | 'integration'> & { readonly environment: string }) {
  if (id === null || integration === null) return <>{id ?? '–'}</>;
  return (
    <a
      class="clip"
      title={id}
      dir="auto"
      href={pathOf(['e', environment, 'connections', integration.unique_key, id, 'overview'])}
    >
      {name ?? id}
    </a>
  );
}
