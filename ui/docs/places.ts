/** A place in the documentation, as `core/server/docs/search-index.ts` describes it. */
export interface DocsPlace {
  readonly url: string;
  /** The group of the page in the navigation. */
  readonly group?: string;
  /** The title of the page. */
  readonly page: string;
  /** The title of the section. Absent for the page itself. */
  readonly section?: string;
  readonly text: string;
}

/** Reads all places, with whole addresses. @param index the address of the file that lists them */
export async function readPlaces(index: URL): Promise<readonly DocsPlace[]> {
  const response = await fetch(index);
  if (!response.ok) throw new Error(`the index of the documentation could not be read: ${response.status}`);
  const places: readonly DocsPlace[] = await response.json();
  return places.map((place) => ({ ...place, url: new URL(place.url, index).href }));
}
