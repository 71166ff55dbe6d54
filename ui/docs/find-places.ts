import MiniSearch from 'minisearch';
import { type DocsPlace, readPlaces } from './places.ts';

/** The number of places that are shown. */
const MOST = 12;
/** Terms from this length on are also found with a typing error. */
const LONG_TERM = 5;

/** Returns a function that finds places by words, the best first. @param index the address of the file that lists all places */
export async function openIndex(index: URL): Promise<(words: string) => readonly DocsPlace[]> {
  const places = await readPlaces(index);
  const byUrl = new Map(places.map((place) => [place.url, place]));
  const search = new MiniSearch<DocsPlace>({ idField: 'url', fields: ['page', 'section', 'text'] });
  search.addAll(places);
  return (words) => {
    const hits = search.search(words, {
      combineWith: 'AND',
      prefix: true,
      fuzzy: (term) => (term.length >= LONG_TERM ? 0.2 : false),
      boost: { page: 2, section: 3 },
      // A page whose title has the words is of more use than each of its sections.
      boostDocument: (url) => (byUrl.get(url)?.section === undefined ? 2 : 1),
    });
    return hits.slice(0, MOST).flatMap(({ id }) => byUrl.get(id) ?? []);
  };
}
