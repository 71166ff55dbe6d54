import type { Content, OpenApiDocument, OpenApiOperation, Parameter } from '../../openapi/model.ts';
import { html, type Markup } from '../../pages/html.ts';
import { curlExample } from './curl-example.ts';
import type { ReferenceEntry } from './entries.ts';
import { codeBlock, prose } from './prose.ts';
import { componentOf, typeText } from './schema-rows.ts';
import { fieldMarkup, schemaTable } from './schema-table.ts';

const PLACES = { path: 'Path', query: 'Query', header: 'Headers' } as const;

interface SectionContext {
  readonly baseUrl: string;
  /** The components of the document: a body that is one of them is shown with its properties. */
  readonly schemas: OpenApiDocument['components']['schemas'];
}

/** Renders one operation: its input and responses on the left, an example call on the right. */
export function operationSection({ methods, path, operation }: ReferenceEntry, { baseUrl, schemas }: SectionContext): Markup {
  const {
    operationId,
    summary,
    description = 'Open to everyone.',
    parameters = [],
    requestBody,
    responses,
    deprecated,
  } = operation;
  const [method = 'GET'] = methods;
  return html`<section class="operation" aria-labelledby="${operationId}">
<div>
<h2 id="${operationId}"><a href="#${operationId}">${summary}</a></h2>
<p class="address"><code><b>${methods.join(', ')}</b> ${path}</code>${deprecated ? html` <span class="label">deprecated</span>` : ''}</p>
<p>${prose(description)}</p>
${parametersOf(parameters)}
${requestBody === undefined ? '' : bodyOf(requestBody, schemas)}
<h3>Responses</h3>
${Object.entries(responses).map(([status, response]) => responseOf(status, response, schemas))}
</div>
<div class="example"><h3>Example</h3>${codeBlock(curlExample({ method, path, operation }, baseUrl))}${responseExample(responses)}</div>
</section>
`;
}

function parametersOf(parameters: readonly Parameter[]): Markup {
  const groups = Map.groupBy(parameters, ({ in: place }) => place);
  return html`${[...groups].map(
    ([place, own]) => html`<h3>${PLACES[place]}</h3><dl class="fields">${own.map(parameterRow)}</dl>`,
  )}`;
}

function parameterRow({ name, required, description, schema, example }: Parameter): Markup {
  const whole = {
    ...schema,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
  return fieldMarkup(html`<code>${name}</code>`, typeText(schema), required, whole);
}

function bodyOf({ required, content }: NonNullable<OpenApiOperation['requestBody']>, schemas: SectionContext['schemas']): Markup {
  return html`<h3>Body${required ? '' : ' (optional)'}</h3>${Object.entries(content).map((one) => contentOf(one, schemas))}`;
}

function contentOf([type, { schema: named }]: [string, Content], schemas: SectionContext['schemas']): Markup {
  const schema = named && (schemas[componentOf(named) ?? ''] ?? named);
  const isUsual = type === 'application/json' && schema !== undefined;
  return html`${isUsual ? '' : html`<p class="type"><code>${type}</code></p>`}${
    schema === undefined || Object.keys(schema).length === 0 ? '' : schemaTable(schema)
  }`;
}

/** Renders one response. The codes of an error status are in the table of errors, since all errors have the same shape. */
function responseOf(
  status: string,
  { description, content = {} }: OpenApiOperation['responses'][string],
  schemas: SectionContext['schemas'],
): Markup {
  const isError = Number(status) >= 400;
  const name = isError ? html`<a href="/docs/errors#status-${status}">${status}</a>` : html`${status}`;
  const line = html`<p class="response"><b>${name}</b> <span>${prose(description)}</span></p>\n`;
  return isError ? line : html`${line}${Object.entries(content).map((one) => contentOf(one, schemas))}`;
}

function responseExample(responses: OpenApiOperation['responses']): Markup {
  const found = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content).flatMap(({ example }) => (example === undefined ? [] : [{ status, example }])),
  );
  return html`${found.map(
    ({ status, example }) => html`<h3>Response ${status}</h3>${codeBlock(JSON.stringify(example, null, 2))}`,
  )}`;
}
