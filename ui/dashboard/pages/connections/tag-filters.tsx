import { useFilters } from '../../app/use-place.ts';
import { FilterChip, SearchField } from '../../components/filter-bar.tsx';
import type { Tags } from '../../components/tags.ts';
import { readWords, tagOf } from './search-words.ts';
import { t } from './texts.ts';

/** The search field; a completely typed tag becomes a separate filter. */
export function ConnectionSearch() {
  const { set } = useFilters();
  const take = (text: string) => {
    // Until a blank follows, the user may still be typing the tag's value.
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

/** Returns the names of the URL parameters that filter by tags. */
export function tagParameters(query: URLSearchParams): readonly string[] {
  return [...new Set(query.keys())].filter((name) => tagOf(name) !== undefined);
}

/** Returns the tags by which the list is filtered. */
export function filteredTags(query: URLSearchParams): Tags {
  return Object.fromEntries(tagParameters(query).map((name) => [tagOf(name) ?? '', query.get(name) ?? '']));
}
