import { html, type Markup, pageReply } from '../http/html.ts';
import type { Reply } from '../http/route.ts';
import type { Content, OpenApiDocument, Operation, Parameter } from './model.ts';

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code, pre { font: 14px/1.4 ui-monospace, monospace }
pre { background: #8882; padding: .75rem; overflow-x: auto }
summary { cursor: pointer; padding: .25rem 0 }
td, th { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0 }
`;

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The OpenAPI document for people: one page, no scripts. */
export function documentPage(document: OpenApiDocument): Reply {
  const entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const body = html`<h1>${document.info.title}</h1>
<p>${document.info.description}</p>
<p>Interface version ${document.info.version}. As data: <a href="/openapi.json">OpenAPI ${document.openapi}</a>.</p>
${document.tags.map((tag) => section(tag, entries))}
<h2>Schemas</h2>
${Object.entries(document.components.schemas).map(([name, schema]) => html`<h3 id="${name}">${name}</h3>${code(schema)}`)}
<h2>Errors</h2>
${Object.values(document.components.examples).map(({ summary, value }) => html`<p>${summary}</p>${code(value)}`)}`;
  return pageReply({ title: `${document.info.title}: interface`, style: STYLE, body });
}

function section({ name, description = '' }: OpenApiDocument['tags'][number], entries: readonly Entry[]): Markup {
  const own = entries.filter(({ operation }) => operation.tags.includes(name));
  return html`<h2>${name}</h2>\n<p>${description}</p>\n${own.map(entry)}`;
}

function entry({ method, path, operation }: Entry): Markup {
  const { summary, description = 'Open to everyone.', parameters = [], requestBody, responses } = operation;
  return html`<details><summary><code>${method} ${path}</code> ${summary}</summary>
<p>${description}</p>
${parameters.length > 0 ? html`<h4>Parameters</h4><table>${parameters.map(row)}</table>` : ''}
${requestBody ? html`<h4>Body</h4>${contents(requestBody.content)}` : ''}
<h4>Responses</h4><table>${Object.entries(responses).map(([status, response]) => responseRow(status, response))}</table>
</details>
`;
}

function row({ name, in: place, required, description = '', schema, example }: Parameter): Markup {
  const kind = `${place}${required ? ', required' : ''}`;
  const text = example === undefined ? '' : html`, e.g. <code>${JSON.stringify(example)}</code>`;
  const what = html`${description}${text}<br><code>${JSON.stringify(schema)}</code>`;
  return html`<tr><td><code>${name}</code></td><td>${kind}</td><td>${what}</td></tr>\n`;
}

function responseRow(status: string, { description, content }: Operation['responses'][string]): Markup {
  return html`<tr><td>${status}</td><td>${description}${content && Number(status) < 400 ? contents(content) : ''}</td></tr>\n`;
}

/** The example first; the schema lists what else there may be. */
function contents(content: Readonly<Record<string, Content>>): Markup {
  return html`${Object.entries(content).map(
    ([type, { schema, example }]) => html`<p><code>${type}</code></p>
${example === undefined ? '' : html`<p>Example</p>${code(example)}`}${schema ? html`<p>Schema</p>${code(schema)}` : ''}`,
  )}`;
}

function code(value: unknown): Markup {
  return html`<pre>${JSON.stringify(value, null, 2)}</pre>\n`;
}
