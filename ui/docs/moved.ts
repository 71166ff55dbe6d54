import { readPlaces } from './places.ts';

/** Anchors of the former page of the whole API reference, and where they lead now: below `/docs/`. */
const MOVED: readonly (readonly [RegExp, string])[] = [
  [/^tag-(.+)$/, 'reference/$1'],
  [/^schema-(.+)$/, 'reference/schemas#$1'],
  [/^schemas$/, 'reference/schemas'],
  [/^authentication$/, 'reference#authentication'],
  [/^error-(.+)$/, 'errors#$1'],
  [/^(status-\d+)$/, 'errors#$1'],
  [/^errors$/, 'errors'],
];

/**
 * Leads an address of the former page, which was `/docs` with an anchor, to the page that has its subject now. Servers do not see
 * anchors, so that only a script can do this.
 *
 * @param index the address of the file that the search reads
 */
export async function followMoved(index: URL): Promise<void> {
  const docs = new URL('.', index);
  const anchor = location.hash.slice(1);
  if (`${location.pathname}/` !== docs.pathname || anchor === '' || document.getElementById(anchor) !== null) return;
  const [pattern, replacement] = MOVED.find(([one]) => one.test(anchor)) ?? [];
  if (pattern !== undefined && replacement !== undefined) {
    location.replace(new URL(anchor.replace(pattern, replacement), docs));
    return;
  }
  // Other anchors were the IDs of operations, which are anchors of the pages of their resources.
  const place = (await readPlaces(index)).find(({ url }) => url.startsWith(`${docs}reference/`) && url.endsWith(`#${anchor}`));
  if (place !== undefined) location.replace(place.url);
}
