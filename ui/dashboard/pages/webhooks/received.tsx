import { useEnvironment, useEnvironmentPath, useMe } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useList } from '../../app/use-list.ts';
import { useFilters } from '../../app/use-place.ts';
import { Badge } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterChip, SelectFilter } from '../../components/filter-bar.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { sentence } from '../../components/sentence.ts';
import type { Column } from '../../components/table-head.tsx';
import { t } from './texts.ts';
import { WebhooksPage } from './webhooks-page.tsx';

type Delivery = Reply<'listReceived'>['data'][number];

const OUTCOMES = ['accepted', 'refused'] as const;
const FILTERS = ['outcome', 'integration'];

/** The deliveries that providers have sent, with what they matched, or why they were refused. */
export function Received() {
  const { name } = useEnvironment();
  const { query, set } = useFilters();
  const days = t.count('days', useMe().log_retention_days);
  const wanted = new URLSearchParams(FILTERS.filter((one) => query.has(one)).map((one) => [one, query.get(one) ?? '']));
  const list = useList<Delivery>(`${useEnvironmentPath()}/received-webhooks?${wanted}`);
  const integration = query.get('integration');
  return (
    <WebhooksPage part="received" lead={t('received_lead')}>
      <FilterBar>
        <SelectFilter
          name="outcome"
          label={t('message_status')}
          choices={OUTCOMES.map((value) => ({ value, label: t(`outcome_${value}`) }))}
        />
        {integration !== null && (
          <FilterChip
            label={t('narrowed', { name: t('integration'), value: integration })}
            onRemove={() => set({ integration: null })}
          />
        )}
      </FilterBar>
      <DataTable
        caption={t('part_received')}
        list={list}
        columns={COLUMNS}
        keyOf={({ log_id: id }) => id}
        hrefOf={({ log_id: id }) => pathOf(['e', name, 'logs', id])}
        filters={FILTERS}
        count={(total) => t.count('received_total', total)}
        empty={<Empty title={t('no_messages', { days })} hint={t('received_none')} />}
      />
    </WebhooksPage>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  { head: t('message'), cell: (one) => <Event {...one} /> },
  { head: t('message_status'), cell: (one) => <Outcome {...one} />, phone: 'end' },
  {
    head: t('integration'),
    cell: ({ integration, provider_config_key: key }) => <Integration name={integration?.display_name ?? key} />,
    phone: 'second',
  },
  { head: t('created'), cell: ({ at }) => <RelativeTime at={at} />, isNumber: true, phone: 'end-second' },
];

function Event({ events, refusal, connections, connection_id: id, connection_name: name }: Delivery) {
  const matched = id === null ? t.count('matched', connections) : t('matched_id', { id: name ?? id });
  return (
    <span class="two">
      <span title={events ?? undefined}>{events ?? t('unnamed')}</span>
      <span class="small faint">{refusal === null ? matched : sentence(refusal.reason)}</span>
    </span>
  );
}

function Outcome({ refusal, is_verified: isVerified, is_forwarded: isForwarded }: Delivery) {
  if (refusal !== null) return <Badge tone="bad">{t('outcome_refused')}</Badge>;
  if (!isVerified) return <Badge tone="warn">{t('not_verified')}</Badge>;
  return <Badge tone={isForwarded ? 'ok' : 'idle'}>{t(isForwarded ? 'queued' : 'not_forwarded')}</Badge>;
}

function Integration({ name }: { readonly name: string | null }) {
  return (
    <span class="clip" title={name ?? undefined}>
      {name ?? '–'}
    </span>
  );
}
