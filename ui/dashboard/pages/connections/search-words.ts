/** `tag:name=value` or `tag:name="some words"`. */
const TAG = /(?<=^|\s)tag:(?<name>[^\s=]+)=(?:"(?<quoted>[^"]+)"|(?<plain>[^\s"]+))(?=\s|$)/g;

/** What is typed into the search, as parameters of the list: its tags, and the rest of it. */
export function searchParams(text: string): [string, string][] {
  const tags = [...text.matchAll(TAG)].map(({ groups = {} }): [string, string] => {
    const { name, quoted, plain } = groups;
    return [`tags[${name}]`, quoted ?? plain ?? ''];
  });
  const rest = text.replace(TAG, ' ').replace(/\s+/g, ' ').trim();
  return rest === '' ? tags : [['search', rest], ...tags];
}
