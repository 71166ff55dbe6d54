import { useApp, useEnvironment, useMay, useMe } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { useFilters } from '../../app/use-place.ts';
import { Card } from '../../components/card.tsx';
import { Copyable, CopyButton } from '../../components/copy-button.tsx';
import { Failure } from '../../components/failure.tsx';
import { actorOf } from '../../components/history/actors.ts';
import { KeyValues } from '../../components/key-values.tsx';
import { logsPath } from '../../components/logs-path.ts';
import { sentence } from '../../components/sentence.ts';
import { durationText } from '../../components/times.ts';
import { useAction } from '../../components/use-action.ts';
import { asCurl } from './as-curl.ts';
import { type FullLogEntry, wordFor } from './log-entry.ts';
import { LogTime, logTimes } from './log-times.tsx';
import { t } from './texts.ts';

/** The log messages of an operation as a timeline. Of a script they are its own, as it wrote them; only the last is the service's. */
export function Messages({ type, messages }: FullLogEntry) {
  const times = logTimes(useIsUtc());
  return (
    <Card title={t('messages')}>
      {messages.length === 0 && <p class="soft">{t('no_messages')}</p>}
      <ol class="timeline">
        {messages.map(({ at, level, message, facts }, index) => (
          <li key={index} class={level}>
            <span class="wrap">{type === 'script' && index < messages.length - 1 ? message : sentence(message)}</span>
            <span class="tiny faint num">
              {level !== 'info' && `${wordFor('level', level)} · `}
              <LogTime at={at} times={times} />
            </span>
            {Object.keys(facts).length > 0 && (
              <details>
                <summary class="small soft">{t('details')}</summary>
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

/** The details of an operation, with links to related pages. */
export function Facts(entry: FullLogEntry) {
  const { name } = useEnvironment();
  const { id, created_at: started, ended_at: ended, provider_config_key: key, integration, connection_id: connection } = entry;
  const isUtc = useIsUtc();
  const times = logTimes(isUtc);
  const logs = (filters: Readonly<Record<string, string>>) => logsPath(name, { ...(isUtc && { utc: '1' }), ...filters });
  const { actor, http_status: status, error_code: code } = entry;
  return (
    <Card title={t('details')}>
      <KeyValues
        rows={{
          [t('log_id')]: <Copyable text={id} what={t('log_id')} />,
          [t('request_id')]: entry.request_id ? <Copyable text={entry.request_id} what={t('request_id')} /> : undefined,
          [t('started')]: <LogTime at={started} times={times} />,
          [t('ended')]: ended === null ? undefined : <LogTime at={ended} times={times} />,
          [t('duration')]: entry.duration_ms === null ? undefined : durationText(entry.duration_ms),
          [t('actor')]:
            actor.id === null ? actorOf(entry) : <a href={logs({ actor: actor.kind, actor_id: actor.id })}>{actorOf(entry)}</a>,
          [t('integration')]: integration ? (
            <a href={pathOf(['e', name, 'integrations', integration.unique_key, 'settings'])}>{integration.display_name}</a>
          ) : (
            (key ?? undefined)
          ),
          [t('end_user')]: entry.connection_name ? <span dir="auto">{entry.connection_name}</span> : undefined,
          [t('connection')]: connection ? <Copyable text={connection} what={t('connection')} /> : undefined,
          [t('http_status')]: status === null ? undefined : <a href={logs({ http_status: String(status) })}>{status}</a>,
          [t('error_code')]: code ? (
            <a href={logs({ error_code: code })}>
              <code>{code}</code>
            </a>
          ) : undefined,
        }}
      />
      <Delivery {...entry} />
      <Curl {...entry} />
      {connection && (
        <div class="actions spaced">
          {integration && (
            <a class="btn" href={pathOf(['e', name, 'connections', integration.unique_key, connection, 'overview'])}>
              {t('open_connection')}
            </a>
          )}
          <a class="btn" href={logs({ ...(integration && { integration: integration.unique_key }), connection_id: connection })}>
            {t('all_of_connection')}
          </a>
        </div>
      )}
    </Card>
  );
}

/** Returns whether times are shown in UTC, as in the list from which the user came. */
function useIsUtc(): boolean {
  return useFilters().query.get('utc') === '1';
}

/** For an operation about a webhook: a link to its attempts, and a button that sends it again. */
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
        <a class="btn" href={pathOf(['e', name, 'webhooks', 'sent', id])}>
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
