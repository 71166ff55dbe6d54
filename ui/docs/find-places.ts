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
  const search = new MiniSearch<DocsPlace>({
    idField: 'url',
    fields: ['title', 'page', 'text'],
    extractField: (place, field) => (field === 'title' ? (place.section ?? place.page) : place[field as keyof DocsPlace]) ?? '',
    // One is found by the other: "webhook" and "webhooks".
    processTerm: (term) => term.toLowerCase().replace(/(?<=\w{3})s$/, ''),
  });
  search.addAll(places);
  return (words) => {
    const hits = search.search(words, {
      combineWith: 'AND',
      prefix: true,
      fuzzy: (term) => (term.length >= LONG_TERM ? 0.2 : false),
      boost: { title: 4 },
      // A page that is about the words is of more use than each of its sections.
      boostDocument: (url) => (byUrl.get(url)?.section === undefined ? 1.5 : 1),
    });
    return hits.slice(0, MOST).flatMap(({ id }) => byUrl.get(id) ?? []);
  };
}
