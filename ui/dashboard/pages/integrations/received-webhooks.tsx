import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useEnvironment } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { sentence } from '../../core/sentence.ts';
import { useResource } from '../../hooks/use-resource.ts';
import type { One, Reply } from '../../wire.ts';
import { t } from './texts.ts';

type Received = Reply<'listReceivedWebhooks'>['data'][number];

interface ReceivedProps {
  /** Of the integration's interface. */
  readonly path: string;
  readonly integration: string;
}

/** The latest, and which connections they were for or why they were refused. */
export function ReceivedWebhooks({ path, integration }: ReceivedProps) {
  const { name } = useEnvironment();
  const { value, error, reload } = useResource<One<readonly Received[]>>(`${path}/received-webhooks`);
  const logs = `${pathOf(['e', name, 'logs'])}?${new URLSearchParams({ type: 'webhook', integration })}`;
  return (
    <Card title={t('received')} aside={<a href={logs}>{t('webhook_log')}</a>} isFlush>
      {error && <Failure error={error} onRetry={reload} />}
      {value?.data.length === 0 && <p class="body soft">{t('received_none')}</p>}
      <ul class="rows">
        {value?.data.map((one) => (
          <li key={one.log_id}>
            <span class="grow two">
              <a class="wrap" href={pathOf(['e', name, 'logs', one.log_id])}>
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
      {!received.is_forwarded && <Badge tone="idle">{t('not_forwarded')}</Badge>}
      {received.connections === 0 && <Badge tone="warn">{t('matched_none')}</Badge>}
    </>
  );
}

function matchOf({ connections, connection_id: id }: Received): string {
  return id ?? t.count('connections', connections);
}
