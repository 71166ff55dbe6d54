/** `tag:name=value` or `tag:name="some words"`, by the rules of tags. */
const TAG = /(?<=^|\s)tag:(?<name>[a-z][a-z0-9_\-./]{0,63})=(?:"(?<quoted>[^"]{1,255})"|(?<plain>[^\s"]{1,255}))(?=\s|$)/gi;
const PARAMETER = /^tags\[(?<name>.+)\]$/;

interface Words {
  /** As parameters of the list, and of the address. */
  readonly tags: readonly (readonly [parameter: string, value: string])[];
  readonly rest: string;
}

/** What is typed into the search: tags, and the rest of it. */
export function readWords(text: string): Words {
  const tags = [...text.matchAll(TAG)].map(({ groups = {} }) => {
    const { name = '', quoted, plain } = groups;
    return [parameterOf(name), quoted ?? plain ?? ''] as const;
  });
  return { tags, rest: text.replace(TAG, ' ').replace(/\s+/g, ' ').trim() };
}

/** Of the list, and of the address: what the value of a tag has to be. */
export function parameterOf(tag: string): string {
  return `tags[${tag.toLowerCase()}]`;
}

/** The name of the tag that a parameter of the address is about. Undefined: of none */
export function tagOf(parameter: string): string | undefined {
  return PARAMETER.exec(parameter)?.groups?.['name'];
}
