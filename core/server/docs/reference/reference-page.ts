import { readFileSync } from 'node:fs';
import { ERROR_MEANINGS } from '../../../error-meanings.ts';
import { ERROR_STATUS, type ErrorCode } from '../../../errors.ts';
import type { OpenApiDocument } from '../../openapi/model.ts';
import { html, type Markup, pageReply } from '../../pages/html.ts';
import type { Reply } from '../../route.ts';
import { entriesOf, entriesOfTag, type ReferenceEntry, tagAnchor } from './entries.ts';
import { operationSection, type SectionContext } from './operation-section.ts';
import { breakable, codeBlock, prose } from './prose.ts';
import { schemaTable } from './schema-table.ts';

const EXAMPLE = {
  error: {
    code: 'invalid_body',
    message: 'Unrecognized key: "tag"',
    errors: [{ code: 'unrecognized_keys', message: 'Unrecognized key: "tag"', path: [] }],
  },
};

/** Renders the OpenAPI document for people: one page without scripts, in which the browser's own search finds everything. */
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
  entries: readonly ReferenceEntry[],
  surroundings: SectionContext,
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

/**
 * Renders the page's own navigation, which is folded on a narrow screen. It scrolls by itself, so it must be reachable by keyboard.
 */
function contentsOf({ tags, components }: OpenApiDocument, entries: readonly ReferenceEntry[]): Markup {
  return html`<nav aria-label="Contents" tabindex="0"><details><summary>Contents</summary>
<ul>
<li><a href="#authentication">Authentication</a></li>
${tags.map(
  ({ name }) => html`<li><a href="#${tagAnchor(name)}">${name}</a><ul>${entriesOfTag(entries, name).map(entryLink)}</ul></li>\n`,
)}
<li><a href="#schemas">Schemas</a><ul>${Object.keys(components.schemas).map(
    (name) => html`<li><a href="#schema-${name}">${name}</a></li>`,
  )}</ul></li>
<li><a href="#errors">Errors</a></li>
</ul></details></nav>
`;
}

function entryLink({ methods, path, operation: { operationId } }: ReferenceEntry): Markup {
  const method = methods.length > 1 ? 'ANY' : (methods[0] ?? '');
  return html`<li><a href="#${operationId}"><code><b>${method}</b> <span>${breakable(path, '/')}</span></code></a></li>`;
}

/** Renders all error codes, grouped by status. */
function errorSection(): Markup {
  const codes = Object.entries(ERROR_STATUS) as [ErrorCode, number][];
  const byStatus = Map.groupBy(codes, ([, status]) => status);
  return html`<section aria-labelledby="errors">
<h2 id="errors"><a href="#errors">Errors</a></h2>
<p>Every error has this body. Match on <code>code</code>: messages are for people and may change. Each entry of <code>errors</code>
describes one invalid field. The header <code>Svc-Request-Id</code> identifies the request in the service’s log.</p>
${codeBlock(JSON.stringify(EXAMPLE, null, 2))}
${[...byStatus].toSorted(([a], [b]) => a - b).map(([status, own]) => statusSection(status, own))}
</section>
`;
}

function statusSection(status: number, codes: readonly [ErrorCode, number][]): Markup {
  return html`<h3 id="status-${status}"><a href="#status-${status}">Status ${status}</a></h3>
<dl class="fields">${codes.map(([code]) => errorRow(code))}</dl>
`;
}

function errorRow(code: ErrorCode): Markup {
  const { meaning, remedy } = ERROR_MEANINGS[code];
  return html`<div id="error-${code}"><dt><code>${code}</code></dt><dd>${prose(meaning)} ${prose(remedy)}</dd></div>\n`;
}
