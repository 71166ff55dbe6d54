import { useEnvironment, useMay } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { t as shared } from '../../app/texts/en.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { durationText } from '../../components/times.ts';
import { eventOf, givenUpText, NextAttempt, TONES } from './columns.tsx';
import { useResend } from './resend.ts';
import { t } from './texts.ts';

export type Webhook = Reply<'getDelivery'>['data'];
type Attempted = Webhook['attempts'][number];

/** Returns what a webhook reports, as the title of its page. */
export function titleOf(webhook: Webhook): string {
  return eventOf(webhook) ?? [webhook.type, webhook.operation].filter((word) => word !== null).join(' ');
}

export function StatusBadge({ status }: Pick<Webhook, 'status'>) {
  return <Badge tone={TONES[status]}>{t(`status_${status}`)}</Badge>;
}

/** Why a webhook has not arrived, and what can be done. Nothing for one that is delivered, or was not tried yet. */
export function NotDelivered({ status, attempts, next_attempt_at: next }: Webhook) {
  const latest = attempts.at(-1);
  const { name } = useEnvironment();
  if (status === 'delivered' || latest === undefined) return null;
  const isWaiting = status === 'pending';
  const isNotAccepted = latest.status === 401 || latest.status === 403;
  return (
    <section class={isWaiting ? 'trouble cause warn' : 'trouble cause'} aria-labelledby="not-delivered">
      <h2 id="not-delivered">
        <Icon name="warn" />
        <span>{whyNot(latest)}</span>
      </h2>
      {isNotAccepted && (
        <p>
          {shared('webhook_not_accepted')} <a href={pathOf(['e', name, 'webhooks', 'endpoints'])}>{t('signing_key')}</a>
        </p>
      )}
      <p>
        {t(isWaiting && next === null ? 'next_now' : NEXT[status])} {next !== null && <NextAttempt at={next} />}
      </p>
    </section>
  );
}

function whyNot({ status, error }: Attempted): string {
  if (status !== null) return t('answered', { status: String(status) });
  return givenUpText(error) ?? t(NO_RESPONSE[error ?? ''] ?? 'no_response');
}

/** Names of the texts for what happens next, by the status. */
const NEXT = { pending: 'next_pending', paused: 'next_paused', failed: 'next_failed' } as const;

/** Names of the texts for attempts without a response, by their error. */
const NO_RESPONSE: Readonly<Record<string, 'no_response' | 'no_response_late' | 'no_response_address' | 'no_response_internal'>> =
  {
    timeout: 'no_response_late',
    address_not_allowed: 'no_response_address',
    internal: 'no_response_internal',
    interrupted: 'no_response_internal',
  };

/** The attempts to send a webhook, the latest first. */
export function Attempts({ attempts }: Webhook) {
  return (
    <Card title={t('attempts')} aside={<span class="num">{attempts.length}</span>}>
      {attempts.length === 0 && <p class="soft">{t('no_attempts')}</p>}
      <ol class="stack">
        {attempts.toReversed().map((attempt) => (
          <Attempt key={attempt.at} {...attempt} />
        ))}
      </ol>
    </Card>
  );
}

function Attempt({ at, url, status, duration_ms: ms, error }: Attempted) {
  const givenUp = givenUpText(error);
  if (givenUp !== undefined)
    return (
      <li class="state">
        <Badge tone="bad">{givenUp}</Badge>
        <RelativeTime at={at} />
      </li>
    );
  const isDelivered = status !== null && status >= 200 && status < 300;
  return (
    <li class="stack tight">
      <span class="state">
        <Badge tone={isDelivered ? 'ok' : 'bad'}>{status ?? error ?? '–'}</Badge>
        <span>
          {durationText(ms)} · <RelativeTime at={at} />
        </span>
      </span>
      <code class="wrap">{url}</code>
    </li>
  );
}

export function Payload({ payload }: Webhook) {
  return <CodeBlock label={t('payload')} snippets={{ [t('payload')]: payload }} />;
}

/** The details of a webhook, with links to what it is about. */
export function Details(webhook: Webhook) {
  const { name } = useEnvironment();
  const { id, connection_id: connection, connection_name: endUser, integration } = webhook;
  return (
    <Card title={t('details')}>
      <KeyValues
        rows={{
          [t('id')]: <Copyable text={id} what={t('id')} />,
          [t('created')]: <RelativeTime at={webhook.created_at} />,
          [t('integration')]: integration ? (
            <a href={pathOf(['e', name, 'integrations', integration.unique_key, 'settings'])}>{integration.display_name}</a>
          ) : (
            (webhook.provider_config_key ?? undefined)
          ),
          [t('connection')]:
            connection && integration ? (
              <a
                class="wrap"
                dir="auto"
                href={pathOf(['e', name, 'connections', integration.unique_key, connection, 'overview'])}
              >
                {endUser ?? connection}
              </a>
            ) : (
              (connection ?? undefined)
            ),
        }}
      />
    </Card>
  );
}

/** A button that sends a webhook again, for members who may. */
export function ResendButton({ id, isPrimary }: { readonly id: string; readonly isPrimary: boolean }) {
  const { run, isRunning, error } = useResend(id);
  if (!useMay('developer')) return null;
  return (
    <>
      {error && <Failure error={error} />}
      <button type="button" class={isPrimary ? 'btn primary' : 'btn'} disabled={isRunning} onClick={() => void run()}>
        {t('resend')}
      </button>
    </>
  );
}
