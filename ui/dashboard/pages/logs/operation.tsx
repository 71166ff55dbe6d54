import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Copyable, CopyButton } from '../../components/copy-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useApp, useEnvironment, useMay, useMe, useParams } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { sentence } from '../../core/sentence.ts';
import { absoluteTime, durationText, localeOf } from '../../core/times.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useFilters } from '../../hooks/use-place.ts';
import { useResource } from '../../hooks/use-resource.ts';
import type { One } from '../../wire.ts';
import { asCurl } from './as-curl.ts';
import { aboutOf, actorOf, clockTime, type FullLogEntry, titleOf, toneOf, wordFor } from './log-entry.ts';
import { t } from './texts.ts';

/** D11. */
export function Operation() {
  const { name } = useEnvironment();
  const { id = '' } = useParams();
  const { value, error, reload } = useResource<One<FullLogEntry>>(pathOf(['api', 'ui', 'e', name, 'logs', id]));
  const entry = value?.data;
  const crumbs = [{ href: pathOf(['e', name, 'logs']), text: t('heading') }];
  if (entry === undefined) {
    return (
      <Page title={t('summary')} crumbs={crumbs}>
        {error === undefined && <Skeleton rows={6} />}
        {error?.status === 404 && <Gone />}
        {error && error.status !== 404 && <Failure error={error} title={t('error_heading')} onRetry={reload} />}
      </Page>
    );
  }
  const badge = <Badge tone={toneOf(entry)}>{wordFor('status', entry.status)}</Badge>;
  return (
    <Page title={titleOf(entry)} crumbs={crumbs} badge={badge} lead={aboutOf(entry)}>
      <div class="columns">
        <Messages {...entry} />
        <Facts {...entry} />
      </div>
    </Page>
  );
}

function Gone() {
  const { name } = useEnvironment();
  const { log_retention_days: days } = useMe();
  return (
    <div class="card">
      <Empty title={t('gone')} hint={t('gone_hint', { days: t.count('days', days) })}>
        <a class="btn" href={pathOf(['e', name, 'logs'])}>
          {t('to_logs')}
        </a>
      </Empty>
    </div>
  );
}

function Messages({ messages }: FullLogEntry) {
  const view = useClock();
  return (
    <Card title={t('messages')}>
      {messages.length === 0 && <p class="soft">{t('no_messages')}</p>}
      <ol class="timeline">
        {messages.map(({ at, level, message, facts }, index) => (
          <li key={index} class={level}>
            <span class="wrap">{sentence(message)}</span>
            <span class="tiny faint num">
              {level !== 'info' && `${wordFor('level', level)} · `}
              <time dateTime={at}>{clockTime(at, view)}</time>
            </span>
            {Object.keys(facts).length > 0 && (
              <details>
                <summary class="small soft">{t('facts')}</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a mouse */}
                <pre class="code" tabIndex={0}>
                  {JSON.stringify(facts, null, 2)}
                </pre>
              </details>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Facts(entry: FullLogEntry) {
  const { name } = useEnvironment();
  const { id, created_at: started, ended_at: ended, provider_config_key: integration, connection_id: connection } = entry;
  const view = useClock();
  const timeOf = (at: string) => (
    <time dateTime={at} title={absoluteTime(new Date(at), view.locale, view.isUtc)}>
      {clockTime(at, view)}
    </time>
  );
  const logs = new URLSearchParams({ ...(integration && { integration }), connection_id: connection ?? '' });
  return (
    <Card title={t('details')}>
      <KeyValues
        rows={{
          [t('log_id')]: <Copyable text={id} what={t('log_id')} />,
          [t('started')]: timeOf(started),
          [t('ended')]: ended === null ? undefined : timeOf(ended),
          [t('duration')]: entry.duration_ms === null ? undefined : durationText(entry.duration_ms),
          [t('actor')]: actorOf(entry),
          [t('integration')]: integration && (
            <a href={pathOf(['e', name, 'integrations', integration, 'settings'])}>{integration}</a>
          ),
          [t('customer')]: entry.connection_name ? <span dir="auto">{entry.connection_name}</span> : undefined,
          [t('connection')]: connection && <Copyable text={connection} what={t('connection')} />,
          [t('http_status')]: entry.http_status ?? undefined,
          [t('error_code')]: entry.error_code ? <code>{entry.error_code}</code> : undefined,
        }}
      />
      <Delivery {...entry} />
      <Curl {...entry} />
      {connection && (
        <div class="actions spaced">
          {integration && (
            <a class="btn" href={pathOf(['e', name, 'connections', integration, connection, 'overview'])}>
              {t('open_connection')}
            </a>
          )}
          <a class="btn" href={`${pathOf(['e', name, 'logs'])}?${logs}`}>
            {t('all_of_connection')}
          </a>
        </div>
      )}
    </Card>
  );
}

/** The zone is that of the list that one comes from. */
function useClock() {
  const isUtc = useFilters().query.get('utc') === '1';
  return { isUtc, now: new Date(), locale: localeOf(navigator.languages) };
}

/** Of a message to the application: where its attempts are, and once more. */
function Delivery({ type, messages }: FullLogEntry) {
  const { client, toast } = useApp();
  const { name } = useEnvironment();
  const mayResend = useMay('developer');
  const id = messages.map(({ facts }) => facts['messageId']).find((one) => typeof one === 'string');
  const { run, isRunning, error } = useAction(async () => {
    await client.send('POST', pathOf(['api', 'ui', 'e', name, 'webhook-messages', String(id), 'replay']));
    toast(t('resent'));
  });
  if (type !== 'webhook' || id === undefined) return null;
  return (
    <>
      {error && <Failure error={error} />}
      <div class="actions spaced">
        <a class="btn" href={`${pathOf(['e', name, 'settings', 'webhooks'])}?${new URLSearchParams({ message: id })}`}>
          {t('open_delivery')}
        </a>
        {mayResend && (
          <button type="button" class="btn" disabled={isRunning} onClick={() => void run()}>
            {t('resend')}
          </button>
        )}
      </div>
    </>
  );
}

function Curl(entry: FullLogEntry) {
  const command = asCurl(entry, useMe().base_url);
  if (command === undefined) return null;
  return (
    <div class="spaced">
      <CopyButton text={command} what={t('copy_curl')} verb={t('copy_curl')} isWide />
      <p class="help">{t('curl_lacks')}</p>
    </div>
  );
}
