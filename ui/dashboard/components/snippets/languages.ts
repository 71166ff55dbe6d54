import type { Call, SnippetValues } from './calls.ts';

type Write = (call: Call, values: Pick<SnippetValues, 'baseUrl'>) => string;

/** A call in each language; `SVC_API_KEY` stands for the reader's own key. */
export const LANGUAGES: Readonly<Record<'curl' | 'Node fetch' | 'Node SDK', Write>> = {
  curl: (call, { baseUrl }) => curlOf(call, { baseUrl, authorization: '"Authorization: Bearer $SVC_API_KEY"' }),
  'Node fetch'({ method, path, headers = {}, body, text }, { baseUrl }) {
    const all = { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
    const lines = [
      ...(method === 'GET' ? [] : [`method: '${method}',`]),
      'headers: {',
      '  Authorization: `Bearer ${process.env.SVC_API_KEY}`,',
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

const svc = new Svc({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: process.env.SVC_API_KEY });
${client}`,
};

export type Language = keyof typeof LANGUAGES;

/** The call as a command with a key in it, which was just made and is shown this once. */
export function curlWith(apiKey: string, call: Call, { baseUrl }: Pick<SnippetValues, 'baseUrl'>): string {
  return curlOf(call, { baseUrl, authorization: quoted(`Authorization: Bearer ${apiKey}`) });
}

/** The call in all languages, for a `<CodeBlock>`. */
export function snippetsOf(call: Call, values: Pick<SnippetValues, 'baseUrl'>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(LANGUAGES).map(([language, write]) => [language, write(call, values)]));
}

interface CurlValues extends Pick<SnippetValues, 'baseUrl'> {
  /** The header, quoted. */
  readonly authorization: string;
}

function curlOf({ method, path, headers = {}, body, text }: Call, { baseUrl, authorization }: CurlValues): string {
  const lines = [
    `curl -g ${flagOf(method)}${quoted(baseUrl + path)}`,
    `-H ${authorization}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
    ...(text === undefined ? [] : [`--data-raw ${quoted(text)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** curl waits for the body of a response to `-X HEAD`, which has none. */
function flagOf(method: string): string {
  if (method === 'GET') return '';
  return method === 'HEAD' ? '-I ' : `-X ${method} `;
}

/** For a shell, in which nothing between single quotes has a meaning. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
