import { readFileSync } from 'node:fs';
import { html, type Markup, pageReply } from '../../pages/html.ts';
import type { Reply } from '../../route.ts';
import type { OpenApiDocument } from '../model.ts';
import { contentsOf } from './contents.ts';
import { type Entry, entriesOf, entriesOfTag, tagAnchor } from './entries.ts';
import { errorSection } from './error-section.ts';
import { operationSection, type Surroundings } from './operation-section.ts';
import { prose } from './prose.ts';
import { schemaTable } from './schema-table.ts';

/** The OpenAPI document for people: one page without scripts, in which a browser's own search finds everything. */
export function referencePage(document: OpenApiDocument): Reply {
  const { info, servers, tags, components } = document;
  const baseUrl = servers[0]?.url ?? '';
  const entries = entriesOf(document);
  const body = html`<a class="skip" href="#content">Skip to the content</a>
<div class="page">
${contentsOf(document, entries)}
<main id="content">
<h1>API reference</h1>
<p>${info.description}</p>
<p>Interface version ${info.version}, at <code>${baseUrl}</code>. For programs: <a href="openapi.json">OpenAPI ${document.openapi}</a>.</p>
${authenticationSection(document)}
${tags.map((tag) => tagSection(tag, entriesOfTag(entries, tag.name), { baseUrl, schemas: components.schemas }))}
<section aria-labelledby="schemas"><h2 id="schemas"><a href="#schemas">Schemas</a></h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<h3 id="schema-${name}"><a href="#schema-${name}">${name}</a></h3>${schemaTable(schema)}`,
)}
</section>
${errorSection()}
</main>
</div>`;
  return pageReply({ title: `${info.title}: API reference`, style: readStyle(), body });
}

function authenticationSection({ components: { securitySchemes } }: OpenApiDocument): Markup {
  return html`<section aria-labelledby="authentication"><h2 id="authentication"><a href="#authentication">Authentication</a></h2>
<dl class="fields">${Object.values(securitySchemes).map(
    ({ description, name }) =>
      html`<div><dt><code>${name === undefined ? 'Authorization: Bearer …' : `?${name}=…`}</code></dt><dd>${description}</dd></div>`,
  )}</dl></section>
`;
}

function tagSection(
  { name, description = '' }: OpenApiDocument['tags'][number],
  entries: readonly Entry[],
  surroundings: Surroundings,
): Markup {
  const anchor = tagAnchor(name);
  return html`<section aria-labelledby="${anchor}"><h2 id="${anchor}"><a href="#${anchor}">${name}</a></h2>
<p>${prose(description)}</p>
${entries.map((entry) => operationSection(entry, surroundings))}</section>
`;
}

function readStyle(): string {
  return readFileSync(new URL('reference.css', import.meta.url), 'utf8');
}
