import { useFilters } from '../../app/use-place.ts';
import { FilterChip, SearchField } from '../../components/filter-bar.tsx';
import type { Tags } from '../../components/tags.ts';
import { readWords, tagOf } from './search-words.ts';
import { t } from './texts.ts';

/** The search; a tag that was typed to its end becomes a filter of its own. */
export function ConnectionSearch() {
  const { set } = useFilters();
  const take = (text: string) => {
    // Until a blank follows, its value may go on.
    const { tags, rest } = readWords(text);
    if (tags.length === 0 || !/\s$/.test(text)) return text;
    set({ ...Object.fromEntries(tags), search: rest });
    return rest;
  };
  return <SearchField name="search" placeholder={t('search')} take={take} />;
}

export function TagFilters() {
  const { query, set } = useFilters();
  return (
    <>
      {tagParameters(query).map((parameter) => (
        <FilterChip
          key={parameter}
          label={t('filter_tag', { name: tagOf(parameter) ?? '', value: query.get(parameter) ?? '' })}
          onRemove={() => set({ [parameter]: null })}
        />
      ))}
    </>
  );
}

/** Names of the parameters that are about tags. */
export function tagParameters(query: URLSearchParams): readonly string[] {
  return [...new Set(query.keys())].filter((name) => tagOf(name) !== undefined);
}

/** Those that all shown connections have. */
export function filteredTags(query: URLSearchParams): Tags {
  return Object.fromEntries(tagParameters(query).map((name) => [tagOf(name) ?? '', query.get(name) ?? '']));
}
