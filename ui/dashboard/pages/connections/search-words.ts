/** Matches `tag:name=value` or `tag:name="some words"`, with the limits of tags. */
const TAG = /(?<=^|\s)tag:(?<name>[a-z][a-z0-9_\-./]{0,63})=(?:"(?<quoted>[^"]{1,255})"|(?<plain>[^\s"]{1,255}))(?=\s|$)/gi;
const PARAMETER = /^tags\[(?<name>.+)\]$/;

interface Words {
  /** The tags as query parameters, which are the same in the page's URL and in the path of the list. */
  readonly tags: readonly (readonly [parameter: string, value: string])[];
  readonly rest: string;
}

/** Splits the search text into tags and the rest. */
export function readWords(text: string): Words {
  const tags = [...text.matchAll(TAG)].map(({ groups = {} }) => {
    const { name = '', quoted, plain } = groups;
    return [parameterOf(name), quoted ?? plain ?? ''] as const;
  });
  return { tags, rest: text.replace(TAG, ' ').replace(/\s+/g, ' ').trim() };
}

/** Returns the name of the query parameter, in the page's URL and in the path of the list, that filters by the value of a tag. */
export function parameterOf(tag: string): string {
  return `tags[${tag.toLowerCase()}]`;
}

/** Returns the name of the tag by which a URL parameter filters; undefined for other parameters. */
export function tagOf(parameter: string): string | undefined {
  return PARAMETER.exec(parameter)?.groups?.['name'];
}
