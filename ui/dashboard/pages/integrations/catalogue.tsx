import { useRef } from 'preact/hooks';
import { Logo } from '../../../kit/logo.tsx';
import { useEnvironment } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { t as shared } from '../../app/texts/en.ts';
import { type List, useList } from '../../app/use-list.ts';
import { useFilters } from '../../app/use-place.ts';
import { useResource } from '../../app/use-resource.ts';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { FilterBar, SearchField, SelectFilter } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { authWord, categoryWord } from './authentication.ts';
import { t } from './texts.ts';

type Facets = Reply<'getCatalogue'>['data'];

/** The fields of a provider that its entry in the catalogue needs. */
interface Listed {
  readonly name: string;
  readonly display_name: string;
  readonly auth_mode: string;
  readonly logo_url: string;
  readonly categories?: readonly string[];
}

const FILTERS = ['search', 'category', 'auth_mode'];
const MEMBERS = 'name,display_name,auth_mode,logo_url,categories';
const PAGE = 60;
/** Generic providers, for APIs that have no definition. */
const OWN = ['generic-oauth', 'generic-api-key', 'generic-basic', 'generic-client-credentials'] as const;

/** The catalogue of providers. There may be a thousand of them, so they are loaded page by page. */
export function Catalogue() {
  const { name } = useEnvironment();
  const { query } = useFilters();
  const base = `api/ui/e/${encodeURIComponent(name)}`;
  const facets = useResource<One<Facets>>(`${base}/catalogue`).value?.data;
  const set = FILTERS.filter((one) => query.has(one)).map((one) => [one, query.get(one) ?? '']);
  const wanted = new URLSearchParams([...set, ['fields', MEMBERS], ['limit', String(PAGE)]]);
  const list = useList<Listed>(`${base}/providers?${wanted}`);
  const crumbs = [{ href: pathOf(['e', name, 'integrations']), text: t('heading') }];
  return (
    <Page title={t('add')} crumbs={crumbs} lead={facets && t('catalogue_lead', { count: facets.total })}>
      <FilterBar>
        <SearchField name="search" placeholder={t('catalogue_search')} />
        <SelectFilter
          name="auth_mode"
          label={t('authentication')}
          choices={(facets?.auth_modes ?? []).map(({ name: value, count }) => ({
            value,
            label: `${authWord(value)} (${count})`,
          }))}
        />
        <SelectFilter
          name="category"
          label={t('category')}
          choices={(facets?.categories ?? []).map(({ name: value, count }) => ({
            value,
            label: `${categoryWord(value)} (${count})`,
          }))}
        />
      </FilterBar>
      <Providers list={list} total={set.length === 0 ? facets?.total : undefined} />
      <p class="own">
        {t('describe_own')}{' '}
        {OWN.map((slug) => (
          <a key={slug} href={pathOf(['e', name, 'integrations', 'new', slug])}>
            {t(`own_${slug}`)}
          </a>
        ))}
      </p>
    </Page>
  );
}

interface ProvidersProps {
  readonly list: List<Listed>;
  /** The number of all providers; undefined while filters are set: the service does not count the matches. */
  readonly total: number | undefined;
}

function Providers({ list, total }: ProvidersProps) {
  const { name } = useEnvironment();
  const { query, set } = useFilters();
  const { rows, error, reload, hasMore } = list;
  const tiles = useRef<HTMLUListElement>(null);
  const loadMore = async () => {
    const first = await list.loadMore();
    if (first === undefined) return;
    requestAnimationFrame(() => tiles.current?.children[first]?.querySelector('a')?.focus());
  };
  if (rows === undefined && error !== undefined) return <Failure error={error} title={t('catalogue_broken')} onRetry={reload} />;
  if (rows === undefined) return <Skeleton rows={6} />;
  if (rows.length === 0) {
    const search = query.get('search');
    return (
      <div class="card">
        <Empty title={search === null ? t('catalogue_none') : t('catalogue_no_match', { query: search })}>
          <button type="button" class="btn" onClick={() => set({ search: null, category: null, auth_mode: null })}>
            {t(query.has('category') || query.has('auth_mode') ? 'clear' : 'clear_search')}
          </button>
        </Empty>
      </div>
    );
  }
  return (
    <>
      <ul class="tiles" ref={tiles}>
        {rows.map((provider) => (
          <li key={provider.name}>
            <a class="tile" href={pathOf(['e', name, 'integrations', 'new', provider.name])}>
              <Logo name={provider.display_name} url={provider.logo_url} size="" />
              <span class="two">
                <span title={provider.display_name}>{provider.display_name}</span>
                <span class="small faint">
                  {[authWord(provider.auth_mode), ...(provider.categories ?? []).map(categoryWord)].join(' · ')}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {error && <Failure error={error} title={t('catalogue_broken')} onRetry={reload} />}
      {hasMore && (
        <p class="more">
          <span class="small soft num" role="status">
            {total === undefined
              ? shared('rows_shown', { count: rows.length })
              : t('catalogue_shown', { shown: rows.length, total })}
          </span>
          <button type="button" class="btn" onClick={() => void loadMore()}>
            {t('load_more')}
          </button>
        </p>
      )}
    </>
  );
}
