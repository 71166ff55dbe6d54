import { useState } from 'preact/hooks';
import { useApp, useEnvironment, useEnvironmentPath, useMay } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { DestructiveDialog } from '../../components/destructive-dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { figure } from '../../components/figure.ts';
import { KeyValues } from '../../components/key-values.tsx';
import { useSettings } from '../../components/loaded-settings.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { t } from './texts.ts';
import { WebhooksPage } from './webhooks-page.tsx';

type Entry = Reply<'listWebhookInbox'>['data'][number];

/** The page of the environment's inbox, which shows the webhooks as an application would have received them from the service. */
export function Inbox() {
  const { name } = useEnvironment();
  const { client, resources } = useApp();
  const mayChange = useMay('developer');
  const path = `${useEnvironmentPath()}/webhook-inbox`;
  const { value, error, isLoading, reload } = useResource<One<readonly Entry[]>>(path);
  const [isAsking, setAsking] = useState(false);
  const clear = async () => {
    await client.send('DELETE', path);
    resources.invalidate(path);
  };
  const entries = value?.data ?? [];
  const actions = (
    <>
      {mayChange && entries.length > 0 && (
        <button type="button" class="btn" onClick={() => setAsking(true)}>
          {t('inbox_clear')}
        </button>
      )}
      <button type="button" class="btn" disabled={isLoading} onClick={reload}>
        {t('inbox_reload')}
      </button>
    </>
  );
  return (
    <WebhooksPage part="inbox" lead={t('inbox_lead')} actions={actions}>
      <div class="stack inbox">
        {error && <Failure error={error} onRetry={reload} />}
        {!error && value === undefined && <Skeleton rows={5} />}
        {value !== undefined && entries.length === 0 && (
          <div class="card">
            <Empty title={t('inbox_empty')} hint={<Waiting />}>
              <a class="btn" href={pathOf(['e', name, 'webhooks', 'endpoints'])}>
                {t('inbox_settings')}
              </a>
            </Empty>
          </div>
        )}
        {entries.map((entry) => (
          <Received key={entry.id} {...entry} />
        ))}
      </div>
      {isAsking && (
        <DestructiveDialog
          title={t('inbox_clear_heading')}
          consequence={t('inbox_clear_consequence')}
          verb={t('inbox_clear')}
          name={name}
          act={clear}
          onClose={() => setAsking(false)}
        />
      )}
    </WebhooksPage>
  );
}

/** Says what the inbox waits for, and since when: which webhooks go to it, if any. */
function Waiting() {
  const settings = useSettings();
  if (settings === undefined) return null;
  const { inbox_url: inbox, webhook_url: url, webhook_url_secondary: second, webhook_url_since: since } = settings;
  if (inbox === null) return <>{t('inbox_production')}</>;
  if (url !== inbox && second !== inbox) return <>{t('inbox_unset')}</>;
  const hasEvents = settings.on_new_connection || settings.on_refresh || settings.on_deletion;
  return (
    <>
      {url === inbox && since !== null ? (
        <>
          {t('inbox_since')} <RelativeTime at={since} />.
        </>
      ) : (
        t('inbox_set')
      )}{' '}
      {t(hasEvents ? 'inbox_next' : 'inbox_events_off')}
    </>
  );
}

function Received({ received_at: at, headers, payload, bytes, signature_valid: isValid }: Entry) {
  const aside = (
    <span class="state">
      <Badge tone={isValid ? 'ok' : 'bad'}>{t(isValid ? 'signature_valid' : 'signature_invalid')}</Badge>
      <RelativeTime at={at} />
    </span>
  );
  return (
    <Card title={typeOf(payload) ?? t('inbox_message')} aside={aside}>
      <div class="stack">
        {payload === null ? (
          <p class="soft">{t('inbox_too_large', { bytes: figure(bytes) })}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a mouse
          <pre class="code" tabIndex={0}>
            {JSON.stringify(payload, null, 2)}
          </pre>
        )}
        <details>
          <summary class="small soft">{t('inbox_headers')}</summary>
          <KeyValues rows={headers} />
        </details>
      </div>
    </Card>
  );
}

/** Returns type and operation of a payload: "auth · creation"; undefined when it has neither. */
function typeOf(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const { type, operation } = payload as { readonly type?: unknown; readonly operation?: unknown };
  const words = [type, operation].filter((word) => typeof word === 'string');
  return words.length === 0 ? undefined : words.join(' · ');
}
