import { useEnvironment, useMe } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { logsPath } from '../../components/logs-path.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { sentence } from '../../components/sentence.ts';
import { t } from './texts.ts';

type Received = Reply<'listReceivedWebhooks'>['data'][number];

interface ReceivedProps {
  /** The path of the integration in the private interface. */
  readonly path: string;
  readonly integration: string;
}

/** The latest deliveries, with the connections that they were for, or why they were refused. */
export function ReceivedWebhooks({ path, integration }: ReceivedProps) {
  const { name } = useEnvironment();
  const { log_retention_days: days } = useMe();
  const { value, error, reload } = useResource<One<readonly Received[]>>(`${path}/received-webhooks`);
  const logs = logsPath(name, { type: 'webhook', integration });
  return (
    <Card title={t('received')} aside={<a href={logs}>{t('webhook_log')}</a>} isFlush>
      {error && (
        <div class="body">
          <Failure error={error} title={t('received_broken')} onRetry={reload} />
        </div>
      )}
      {value?.data.length === 0 && <p class="body soft">{t.count('received_none', days)}</p>}
      <ul class="rows dated">
        {value?.data.map((one) => (
          <li key={one.log_id}>
            <span class="grow two">
              <a title={one.events ?? undefined} href={pathOf(['e', name, 'logs', one.log_id])}>
                {one.events ?? t('received_unnamed')}
              </a>
              {one.refusal === null && <span class="small faint wrap">{matchOf(one)}</span>}
            </span>
            <Badges received={one} />
            <RelativeTime at={one.at} />
            {one.refusal !== null && <p class="small wrap">{sentence(one.refusal.reason)}</p>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Badges({ received }: { readonly received: Received }) {
  if (received.refusal !== null) return <Badge tone="bad">{t('refused')}</Badge>;
  return (
    <>
      {!received.is_verified && <Badge tone="warn">{t('not_verified')}</Badge>}
      <Badge tone={received.is_forwarded ? 'ok' : 'idle'}>{t(received.is_forwarded ? 'forwarded' : 'not_forwarded')}</Badge>
    </>
  );
}

function matchOf({ connections, connection_id: id, connection_name: name }: Received): string {
  if (connections === 0) return t('matched_none');
  return id === null ? t.count('connections', connections) : t('matched_id', { id: name ?? id });
}
