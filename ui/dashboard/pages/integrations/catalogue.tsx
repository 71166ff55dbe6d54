import { useEnvironment } from '../../app/context.ts';
import type { Many, One } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useFilters } from '../../app/use-place.ts';
import { useResource } from '../../app/use-resource.ts';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { SearchField } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { categoryWord } from './authentication.ts';
import { ProofLegend } from './proof-badge.tsx';
import { OwnTile, Section, Tiles } from './provider-tiles.tsx';
import { categoriesOf, countOf, GENERIC, type Known, type Listed, matchesOf, type Sections, sectionsOf } from './sections.ts';
import { t } from './texts.ts';

const MEMBERS = 'name,display_name,auth_mode,logo_url,categories,proof,sandbox';
const IN_CATEGORY = 8;
const IN_MATCHES = 60;

/** The catalogue of providers. All of them are loaded, and searched and grouped here. */
export function Catalogue() {
  const { name } = useEnvironment();
  const base = `api/ui/e/${encodeURIComponent(name)}`;
  const known = useResource<One<Known>>(`${base}/catalogue`);
  const list = useResource<Many<Listed>>(`${base}/providers?fields=${MEMBERS}`);
  const crumbs = [{ href: pathOf(['e', name, 'integrations']), text: t('heading') }];
  const error = known.error ?? list.error;
  const retry = () => {
    known.reload();
    list.reload();
  };
  const count = list.value && countOf(list.value.data);
  return (
    <Page title={t('add')} crumbs={crumbs} lead={count !== undefined && t('catalogue_lead', { count })}>
      <search class="seek-big">
        <SearchField name="search" placeholder={t('catalogue_search')} />
      </search>
      {list.value && known.value ? (
        <Providers providers={list.value.data} known={known.value.data} />
      ) : error ? (
        <Failure error={error} title={t('catalogue_broken')} onRetry={retry} />
      ) : (
        <Skeleton rows={6} />
      )}
    </Page>
  );
}

interface ProvidersProps {
  readonly providers: readonly Listed[];
  readonly known: Known;
}

function Providers({ providers, known }: ProvidersProps) {
  const { query } = useFilters();
  const search = query.get('search') ?? '';
  const category = query.get('category') ?? '';
  const sections = sectionsOf(providers, known.own);
  const isWhole = search === '' && category === '';
  return (
    <>
      <CategorySegments categories={categoriesOf(providers)} />
      {isWhole ? (
        <Everything sections={sections} setUp={known.set_up} />
      ) : (
        <Matches found={matchesOf(providers, { search, category })} generic={sections.generic} setUp={known.set_up} />
      )}
      <ProofLegend />
    </>
  );
}

function CategorySegments({ categories }: { readonly categories: readonly string[] }) {
  const { query, set } = useFilters();
  const chosen = query.get('category') ?? '';
  // An edited URL can choose a category without providers; it is shown, too.
  const names = chosen === '' || categories.includes(chosen) ? categories : [...categories, chosen];
  return (
    <fieldset class="segments">
      <legend class="sr">{t('category')}</legend>
      {['', ...names].map((one) => (
        <button key={one} type="button" aria-pressed={chosen === one} onClick={() => set({ category: one })}>
          {one === '' ? t('all') : categoryWord(one)}
        </button>
      ))}
    </fieldset>
  );
}

interface EverythingProps {
  readonly sections: Sections;
  readonly setUp: Known['set_up'];
}

function Everything({ sections: { own, categories, generic, sandbox }, setUp }: EverythingProps) {
  const shared = { setUp, limit: IN_CATEGORY };
  return (
    <div class="sections">
      <Section title={t('own')} providers={own} {...shared}>
        <OwnTile />
      </Section>
      {categories.map(({ name, providers }) => (
        <Section key={name} title={name === '' ? t('uncategorized') : categoryWord(name)} providers={providers} {...shared} />
      ))}
      <Generic providers={generic} setUp={setUp} />
      {sandbox.length > 0 && <Section title={t('sandbox')} hint={t('sandbox_hint')} providers={sandbox} {...shared} />}
    </div>
  );
}

function Generic({ providers, setUp }: { readonly providers: readonly Listed[]; readonly setUp: Known['set_up'] }) {
  if (providers.length === 0) return null;
  return (
    <Section title={categoryWord(GENERIC)} hint={t('generic_hint')} providers={providers} setUp={setUp} limit={IN_CATEGORY} />
  );
}

interface MatchesProps {
  readonly found: readonly Listed[];
  /** Providers for APIs that are not listed, which are offered if nothing was found. */
  readonly generic: readonly Listed[];
  readonly setUp: Known['set_up'];
}

function Matches({ found, generic, setUp }: MatchesProps) {
  const { query } = useFilters();
  return (
    <div class="sections">
      <div role="status">
        {found.length > 0 ? <p class="small soft num">{t.count('matches', found.length)}</p> : <NothingFound />}
      </div>
      {found.length > 0 ? (
        <Tiles key={String(query)} providers={found} setUp={setUp} limit={IN_MATCHES} />
      ) : (
        <>
          <Generic providers={generic} setUp={setUp} />
          <Section title={t('own')} providers={[]} setUp={setUp} limit={IN_CATEGORY}>
            <OwnTile />
          </Section>
        </>
      )}
    </div>
  );
}

function NothingFound() {
  const { query, set } = useFilters();
  const search = query.get('search');
  return (
    <div class="card">
      <Empty
        title={search === null ? t('catalogue_none') : t('catalogue_no_match', { query: search })}
        hint={t('catalogue_no_match_hint')}
      >
        <button type="button" class="btn" onClick={() => set({ search: null, category: null })}>
          {t(query.has('category') ? 'clear' : 'clear_search')}
        </button>
      </Empty>
    </div>
  );
}
