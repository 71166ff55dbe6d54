import type { OpenApiDocument } from '../../openapi/model.ts';
import { html, type Markup } from '../../pages/html.ts';
import type { DocsPage } from '../docs-page.ts';
import type { DocsSection } from '../guide.ts';
import { entriesOf, entriesOfTag, type ReferenceEntry } from './entries.ts';
import { operationSection } from './operation-section.ts';
import { breakable, prose } from './prose.ts';
import { schemaTable } from './schema-table.ts';

const GROUP = 'API reference';
/** Where the pages of the reference are. */
const REFERENCE = 'reference';
const SCHEMAS = `${REFERENCE}/schemas`;

/** Renders the OpenAPI document for people: an overview, a page for each resource, and one for the schemas. */
export function referencePages(document: OpenApiDocument): DocsPage[] {
  const entries = entriesOf(document);
  const resources = document.tags.map((tag) => resourcePage(tag, entriesOfTag(entries, tag.name), document));
  return [overviewPage(document), ...resources, schemasPage(document)];
}

/** Returns the path of the page of a resource. @param tag its name */
function pathOf(tag: string): string {
  return `${REFERENCE}/${tag.toLowerCase().replaceAll(' ', '-')}`;
}

function overviewPage({ info, servers, tags, openapi, components }: OpenApiDocument): DocsPage {
  const body = html`<h1>API reference</h1>
<p class="lead">${info.description}</p>
<p>Interface version ${info.version}, at <code>${servers[0]?.url ?? ''}</code>. For programs: <a href="/openapi.json">OpenAPI ${openapi}</a>.
Every error has the shape that <a href="/docs/errors">Errors</a> describes, with the meaning of each code.</p>
<h2 id="authentication"><a href="#authentication">Authentication</a></h2>
<dl class="fields">${Object.values(components.securitySchemes).map(
    ({ description, name }) =>
      html`<div><dt><code>${name === undefined ? 'Authorization: Bearer …' : `?${name}=…`}</code></dt><dd>${description}</dd></div>`,
  )}</dl>
<h2 id="resources"><a href="#resources">Resources</a></h2>
<dl class="fields">${tags.map(
    ({ name, description = '' }) =>
      html`<div><dt><a href="/docs/${pathOf(name)}">${name}</a></dt><dd>${prose(description)}</dd></div>\n`,
  )}</dl>`;
  const sections = ['Authentication', 'Resources'].map((title) => ({ id: title.toLowerCase(), title, text: '' }));
  return { path: REFERENCE, title: 'Overview', group: GROUP, body, text: GROUP, sections, contents: [], isWide: true };
}

function resourcePage(
  { name, description = '' }: OpenApiDocument['tags'][number],
  entries: readonly ReferenceEntry[],
  { servers, components }: OpenApiDocument,
): DocsPage {
  const context = { baseUrl: servers[0]?.url ?? '', schemas: components.schemas };
  return {
    path: pathOf(name),
    title: name,
    group: GROUP,
    body: html`<h1>${name}</h1>\n<p class="lead">${prose(description)}</p>\n${entries.map((one) => operationSection(one, context))}`,
    text: description,
    sections: entries.map(entrySection),
    contents: entries.map((one) => ({ id: one.operation.operationId, title: entryTitle(one) })),
    isWide: true,
  };
}

function entrySection({ methods, path, operation }: ReferenceEntry): DocsSection {
  const { operationId, summary, description = '', parameters = [] } = operation;
  const words = [...methods, path, operationId, description, ...parameters.map(({ name }) => name)];
  return { id: operationId, title: summary, text: words.join(' ').replaceAll('`', '') };
}

function entryTitle({ methods, path }: ReferenceEntry): Markup {
  const method = methods.length > 1 ? 'ANY' : (methods[0] ?? '');
  return html`<code><b>${method}</b> <span>${breakable(path, '/')}</span></code>`;
}

function schemasPage({ components }: OpenApiDocument): DocsPage {
  const named = Object.entries(components.schemas);
  return {
    path: SCHEMAS,
    title: 'Schemas',
    group: GROUP,
    body: html`<h1>Schemas</h1>\n<p class="lead">The objects that requests and responses of several endpoints have in common.</p>\n${named.map(
      ([name, schema]) =>
        html`<section aria-labelledby="${name}"><h2 id="${name}"><a href="#${name}">${name}</a></h2>${schemaTable(schema)}</section>\n`,
    )}`,
    text: '',
    sections: named.map(([name]) => ({ id: name, title: name, text: '' })),
    contents: named.map(([name]) => ({ id: name, title: html`${name}` })),
    isWide: true,
  };
}
