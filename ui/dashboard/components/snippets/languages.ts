import type { Call, SnippetValues } from './calls.ts';

type Write = (call: Call, values: Pick<SnippetValues, 'baseUrl'>) => string;

/** Functions that write a call in each language; `SVC_KEY` stands for the reader's own key. */
export const LANGUAGES: Readonly<Record<'curl' | 'Node fetch' | 'Node SDK', Write>> = {
  curl: (call, { baseUrl }) => curlOf(call, { baseUrl, authorization: '"Authorization: Bearer $SVC_KEY"' }),
  'Node fetch'({ method, path, headers = {}, body, text }, { baseUrl }) {
    const all = { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
    const lines = [
      ...(method === 'GET' ? [] : [`method: '${method}',`]),
      'headers: {',
      '  Authorization: `Bearer ${process.env.SVC_KEY}`,',
      ...Object.entries(all).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
      '},',
      ...(body === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(body)}),`]),
      ...(text === undefined ? [] : [`body: ${JSON.stringify(text)},`]),
    ];
    return `const response = await fetch(${JSON.stringify(baseUrl + path)}, {
${lines.map((line) => `  ${line}`).join('\n')}
});
console.log(response.status, await response.text());`;
  },
  'Node SDK': ({ client }, { baseUrl }) => `import { Svc } from 'svc-node';

const svc = new Svc({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: process.env.SVC_KEY });
${client}`,
};

export type Language = keyof typeof LANGUAGES;

/** Returns the call as a command that contains a newly created key, which is shown only this once. */
export function curlWith(apiKey: string, call: Call, { baseUrl }: Pick<SnippetValues, 'baseUrl'>): string {
  return curlOf(call, { baseUrl, authorization: quoted(`Authorization: Bearer ${apiKey}`) });
}

/** Returns the call as a command that reads the `Authorization` header from a file, and so contains no key. */
export function curlWithFile(file: string, call: Omit<Call, 'client'>, { baseUrl }: Pick<SnippetValues, 'baseUrl'>): string {
  return curlOf(call, { baseUrl, authorization: quoted(`@${file}`) });
}

/** Returns the call in all languages, for a `<CodeBlock>`. */
export function snippetsOf(call: Call, values: Pick<SnippetValues, 'baseUrl'>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(LANGUAGES).map(([language, write]) => [language, write(call, values)]));
}

interface CurlValues extends Pick<SnippetValues, 'baseUrl'> {
  /** The `Authorization` header, quoted for a shell. */
  readonly authorization: string;
}

function curlOf(
  { method, path, headers = {}, body, text }: Omit<Call, 'client'>,
  { baseUrl, authorization }: CurlValues,
): string {
  const lines = [
    `curl -g ${flagOf(method)}${quoted(baseUrl + path)}`,
    `-H ${authorization}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
    ...(text === undefined ? [] : [`--data-raw ${quoted(text)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** Returns curl's option for the method: `-I` for HEAD, since with `-X HEAD` curl waits for a body that never comes. */
function flagOf(method: string): string {
  if (method === 'GET') return '';
  return method === 'HEAD' ? '-I ' : `-X ${method} `;
}

/** Quotes a text for a shell, in which no character between single quotes has a special meaning. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
