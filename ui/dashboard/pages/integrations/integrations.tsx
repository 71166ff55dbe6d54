import { Logo } from '../../../kit/logo.tsx';
import { useEnvironment, useMay } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useList } from '../../app/use-list.ts';
import { useFilters } from '../../app/use-place.ts';
import { useResource } from '../../app/use-resource.ts';
import { Badge } from '../../components/badge.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, SearchField, SelectFilter } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { logsPath } from '../../components/logs-path.ts';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-head.tsx';
import { oneDayAgo } from '../../components/times.ts';
import { authWord } from './authentication.ts';
import { ConnectionsLink } from './connections-link.tsx';
import { t } from './texts.ts';

type Facets = Reply<'getCatalogue'>['data'];
type Row = Reply<'getIntegrationsOverview'>['data'][number];

const FILTERS = ['search', 'auth_mode'];

/** The list of integrations. */
export function Integrations() {
  const { name } = useEnvironment();
  const { query } = useFilters();
  const base = `api/ui/e/${encodeURIComponent(name)}`;
  const facets = useResource<One<Facets>>(`${base}/catalogue`).value?.data;
  const inUse = (facets?.auth_modes ?? []).filter(({ integrations }) => integrations > 0);
  const wanted = new URLSearchParams(
    [...FILTERS, 'sort'].filter((one) => query.has(one)).map((one) => [one, query.get(one) ?? '']),
  );
  const list = useList<Row>(`${base}/integrations-overview${wanted.size > 0 ? `?${wanted}` : ''}`);
  const isEmpty = list.rows?.length === 0 && wanted.size === 0;
  return (
    <Page title={t('heading')}>
      {!isEmpty && <Filters modes={inUse} />}
      <DataTable
        caption={t('heading')}
        list={list}
        columns={columnsFor(name)}
        keyOf={({ unique_key }) => unique_key}
        hrefOf={({ unique_key }) => pathOf(['e', name, 'integrations', unique_key, 'settings'])}
        filters={FILTERS}
        empty={<Nothing />}
        count={(total) => t.count('total', total)}
      />
    </Page>
  );
}

function Filters({ modes }: { readonly modes: Facets['auth_modes'] }) {
  return (
    <FilterBar>
      <SearchField name="search" placeholder={t('search')} />
      <SelectFilter
        name="auth_mode"
        label={t('authentication')}
        choices={modes.map(({ name: value }) => ({ value, label: authWord(value) }))}
      />
      <SelectFilter
        name="sort"
        label={t('sort')}
        none={t('sort_name')}
        choices={[{ value: 'updated', label: t('sort_updated') }]}
        isPhone
      />
      <div class="push">
        <AddLink />
      </div>
    </FilterBar>
  );
}

function AddLink() {
  const { name } = useEnvironment();
  if (!useMay('developer')) return null;
  return (
    <a class="btn primary" href={pathOf(['e', name, 'integrations', 'new'])}>
      <Icon name="plus" />
      {t('add')}
    </a>
  );
}

function Nothing() {
  const { name, is_production: isProduction } = useEnvironment();
  const mayAdd = useMay('developer');
  return (
    <Empty title={t('empty')} hint={t('empty_hint')}>
      {mayAdd && (
        <>
          <AddLink />
          {!isProduction && (
            <a class="btn" href={pathOf(['e', name, 'integrations', 'new', 'sandbox-oauth2'])}>
              {t('try_sandbox')}
            </a>
          )}
        </>
      )}
    </Empty>
  );
}

function columnsFor(environment: string): readonly Column<Row>[] {
  return [
    { head: t('name'), cell: (row) => <Name {...row} />, sorts: { ascending: '' } },
    { head: t('id'), cell: ({ unique_key: key }) => <Copyable text={key} what={t('id')} />, isWide: true },
    { head: t('authentication'), cell: ({ auth_mode: mode }) => authWord(mode), phone: 'second' },
    {
      head: t('connections'),
      cell: ({ unique_key, connections }) => (
        <span class="two">
          <ConnectionsLink environment={environment} integration={unique_key} connections={connections} isColumn />
        </span>
      ),
      isNumber: true,
      phone: 'end',
    },
    { head: t('failures'), cell: (row) => <Failures environment={environment} {...row} />, isNumber: true, isWide: true },
    { head: t('webhooks'), cell: (row) => <Webhooks {...row} />, isWide: true },
    {
      head: t('updated'),
      cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
      phone: 'end-second',
      sorts: { descending: 'updated' },
    },
  ];
}

function Failures({ environment, unique_key: key, failures }: Row & { readonly environment: string }) {
  if (failures === 0) return <>0</>;
  const logs = logsPath(environment, { integration: key, status: 'failure', since: oneDayAgo() });
  return (
    <a href={logs} aria-label={t.count('failures', failures)}>
      {failures}
    </a>
  );
}

/** Shows whether deliveries are forwarded, and whether there is a secret to verify them. */
function Webhooks({ forward_webhooks: isOn, has_webhook_secret: hasSecret }: Row) {
  return (
    <span class="two">
      <span title={t(isOn ? 'forwarding_on' : 'forwarding_off')}>
        <Badge tone={isOn ? 'ok' : 'idle'}>{t(isOn ? 'on' : 'off')}</Badge>
      </span>
      {hasSecret !== false && <span class="small faint">{t(hasSecret === null ? 'secret_unreadable' : 'has_secret')}</span>}
    </span>
  );
}

function Name({ display_name: name, unique_key: key, logo, provider }: Row) {
  return (
    <span class="faced">
      <Logo name={name} url={logo} size="" />
      <span class="two">
        <span dir="auto" title={name}>
          {name}
        </span>
        {provider !== key && <span class="small faint">{provider}</span>}
      </span>
    </span>
  );
}
