import { Logo } from '../../../kit/logo.tsx';
import { useApp, useEnvironment } from '../../app/context.ts';
import type { Many, Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useList } from '../../app/use-list.ts';
import { useFilters } from '../../app/use-place.ts';
import { useResource } from '../../app/use-resource.ts';
import { Badge } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { FilterBar, SelectFilter } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { IntegrationFilter } from '../../components/place-filters.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-head.tsx';
import { STATE_TONES } from '../../components/tone.ts';
import { connectionName } from '../../components/whose.ts';
import { changedPath } from '../connection/shown-connection.ts';
import { AddMenu } from './add-menu.tsx';
import { AddTagFilter } from './add-tag-filter.tsx';
import { BulkToolbar } from './bulk-toolbar.tsx';
import { EndUser } from './end-user.tsx';
import { ExportConnections } from './export-connections.tsx';
import { Nothing } from './nothing.tsx';
import { readWords } from './search-words.ts';
import { StateSegments } from './state-segments.tsx';
import { ConnectionSearch, TagFilters, tagParameters } from './tag-filters.tsx';
import { t } from './texts.ts';
import { keyOf, type Row } from './use-bulk-work.ts';
import { useSelection } from './use-selection.ts';

type Integration = Reply<'getIntegrationsOverview'>['data'][number];

/** Number of rows of a page of the list. */
const PAGE = 50;
const FILTERS = ['search', 'integration', 'state'];

/** The list of connections. */
export function Connections() {
  const { name } = useEnvironment();
  const { resources } = useApp();
  const { query } = useFilters();
  const base = `api/ui/e/${encodeURIComponent(name)}`;
  const filters = [...FILTERS, ...tagParameters(query)];
  const wanted = wantedBy(query, [...filters, 'sort']);
  const integrations = useResource<Many<Integration>>(`${base}/integrations-overview`).value?.data ?? [];
  const path = `${base}/connection-rows${wanted.size > 0 ? `?${wanted}` : ''}`;
  const list = useList<Row>(path);
  const selection = useSelection<Row>(path, list.rows ?? [], keyOf);
  const change = (edit: (row: Row) => Row | undefined) => {
    const { rows = [] } = list;
    resources.invalidate(changedPath(name));
    // A list of several pages would begin again with its first page, so it is changed in place, unless nothing is left of it.
    if (rows.length > PAGE && rows.some((row) => edit(row) !== undefined))
      list.change((loaded) => loaded.flatMap((row) => edit(row) ?? []));
  };
  const isEmpty = list.rows?.length === 0 && wanted.size === 0;
  return (
    <Page title={t('heading')}>
      <FilterBar>
        {!isEmpty && <Filters />}
        <div class="push">
          {!isEmpty && <ExportConnections path={path} />}
          <AddMenu hasIntegration={integrations.length > 0} isPrimary={!isEmpty} />
        </div>
        {!isEmpty && <StateSegments filters={filters} />}
      </FilterBar>
      <DataTable
        caption={t('heading')}
        look="people"
        list={list}
        columns={COLUMNS}
        keyOf={keyOf}
        selection={{ ...selection, labelOf: (row) => t('select', { name: connectionName(row) }), allLabel: t('select_all') }}
        hrefOf={({ provider_config_key: key, connection_id: id }) => pathOf(['e', name, 'connections', key, id, 'overview'])}
        filters={filters}
        count={(total) => t.count('count', total)}
        empty={<Nothing integration={integrations[0]?.unique_key} />}
      />
      <BulkToolbar selection={selection} change={change} />
    </Page>
  );
}

function Filters() {
  return (
    <>
      <ConnectionSearch />
      <IntegrationFilter isListed />
      <AddTagFilter />
      <TagFilters />
      <SelectFilter
        name="sort"
        label={t('sort')}
        none={t('sort_newest')}
        choices={[{ value: 'oldest', label: t('sort_oldest') }]}
        isPhone
      />
    </>
  );
}

/** Returns the query of the list: the filters, and the tags that are still in the search text. */
function wantedBy(query: URLSearchParams, filters: readonly string[]): URLSearchParams {
  const { tags, rest } = readWords(query.get('search') ?? '');
  const chosen = filters.filter((name) => query.has(name)).map((name) => [name, query.get(name) ?? ''] as const);
  const named = new Map([...chosen, ...tags, ['search', rest]]);
  return new URLSearchParams([...named].filter(([, value]) => value !== ''));
}

const COLUMNS: readonly Column<Row>[] = [
  { head: t('end_user'), cell: (row) => <EndUser {...row} /> },
  { head: t('integration'), cell: (row) => <Integration {...row} />, phone: 'end-second' },
  { head: t('state'), cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{t(`state_${state}`)}</Badge>, phone: 'end' },
  { head: t('used'), cell: ({ last_fetched_at: at }) => <RelativeTime at={at} /> },
  {
    head: t('created'),
    cell: ({ created_at: at }) => <RelativeTime at={at} />,
    isWide: true,
    sorts: { descending: '', ascending: 'oldest' },
  },
];

function Integration({ integration_name: name, logo }: Row) {
  return (
    <span class="faced">
      <Logo name={name} url={logo} size="s" />
      <span class="clip" title={name} dir="auto">
        {name}
      </span>
    </span>
  );
}
